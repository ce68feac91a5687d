"""Orders: choices, drafts, submission, receipts."""
