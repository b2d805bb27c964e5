# Tic-tac-toe with a package that is not installed.
import colorfuldice

colorfuldice.roll()
input("Your move (1-9): ")
