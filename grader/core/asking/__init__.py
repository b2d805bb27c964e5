"""The client: asks a submission, remembers, never trusts."""
