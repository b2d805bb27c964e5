"""One case asked of one submission gives one verdict."""
