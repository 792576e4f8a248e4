"""A session's data tied to a commit, on a ref beside every branch, and its way to other machines."""
