"""What the API takes and gives, field by field; nothing is given that is not named here."""
