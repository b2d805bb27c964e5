"""Never finishes loading."""
# loses: everything

while True:
    pass
