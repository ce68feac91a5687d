"""What happens at tables: plain functions, each one transaction, with no request in sight; the only writers.

Every function that changes a table locks its row first, and asks again inside the lock whether it may.  What is not
done raises `host.errors.Refused`.  Reading on behalf of somebody goes through `viewing` alone.
"""
