print("\x1b#8" * 100 + "\x1b[2J\x1b[H")

@HONEST@
