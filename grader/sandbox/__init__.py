"""The judge's side of the wall: asks a worker about its submission, and never trusts what comes back."""
