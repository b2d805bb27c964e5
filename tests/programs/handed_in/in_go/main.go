// Tic-tac-toe in Go: the program is X and moves first.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

type Board [9]byte

var lines = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

func (b Board) winner() byte {
	for _, l := range lines {
		if b[l[0]] != '_' && b[l[0]] == b[l[1]] && b[l[1]] == b[l[2]] {
			return b[l[0]]
		}
	}
	return 0
}

func (b Board) full() bool {
	for _, c := range b {
		if c == '_' {
			return false
		}
	}
	return true
}

func (b Board) print() {
	for r := 0; r < 9; r += 3 {
		fmt.Printf("%c|%c|%c\n", b[r], b[r+1], b[r+2])
	}
	fmt.Println()
}

func other(mark byte) byte {
	if mark == 'X' {
		return 'O'
	}
	return 'X'
}

// negamax returns the value for the player to move and the best square.
func negamax(b Board, mark byte) (int, int) {
	if b.winner() != 0 {
		return -1, -1
	}
	if b.full() {
		return 0, -1
	}
	best, where := -2, -1
	for i := range b {
		if b[i] == '_' {
			next := b
			next[i] = mark
			v, _ := negamax(next, other(mark))
			if -v > best {
				best, where = -v, i
			}
		}
	}
	return best, where
}

func main() {
	in := bufio.NewReader(os.Stdin)
	b := Board{'_', '_', '_', '_', '_', '_', '_', '_', '_'}
	mark := byte('X')
	fmt.Println("Welcome to TTT!")
	for b.winner() == 0 && !b.full() {
		if mark == 'X' {
			_, i := negamax(b, 'X')
			b[i] = 'X'
			fmt.Println("My move is", i+1)
		} else {
			fmt.Print("Your move: ")
			text, err := in.ReadString('\n')
			if err != nil {
				fmt.Println("\nGoodbye.")
				return
			}
			n, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || n < 1 || n > 9 {
				fmt.Println("Enter a number between 1 and 9, row by row.")
				continue
			}
			if b[n-1] != '_' {
				fmt.Println("That square is not empty.")
				continue
			}
			b[n-1] = 'O'
		}
		b.print()
		mark = other(mark)
	}
	switch b.winner() {
	case 'X':
		fmt.Println("X is the winner!")
	case 'O':
		fmt.Println("O is the winner!")
	default:
		fmt.Println("Cats game, it is a tie.")
	}
}
