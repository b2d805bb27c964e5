#!/bin/bash
# You are X and begin; squares are 1 to 9.
board=(- - - - - - - - -)
lines="012 345 678 036 147 258 048 246"
declare -A known

three() { # who has three in a row, in $won
    won=""
    local l a
    for l in $lines; do
        a=${board[${l:0:1}]}
        if [[ $a != - && $a == "${board[${l:1:1}]}" && $a == "${board[${l:2:1}]}" ]]; then
            won=$a
            return
        fi
    done
}

value() { # of the board for O when $1 moves, in $worth
    local key="${board[*]}" turn=$1 other best i
    worth=${known[$key]}
    [[ -n $worth ]] && return
    three
    if [[ $won == O ]]; then worth=1
    elif [[ $won == X ]]; then worth=-1
    elif [[ $key != *-* ]]; then worth=0
    else
        if [[ $turn == O ]]; then best=-2 other=X; else best=2 other=O; fi
        for i in 0 1 2 3 4 5 6 7 8; do
            [[ ${board[i]} == - ]] || continue
            board[i]=$turn
            value $other
            board[i]=-
            if [[ $turn == O ]]; then ((worth > best)) && best=$worth; else ((worth < best)) && best=$worth; fi
        done
        worth=$best
    fi
    known[$key]=$worth
}

show() {
    echo
    echo "  ${board[0]} ${board[1]} ${board[2]}"
    echo "  ${board[3]} ${board[4]} ${board[5]}"
    echo "  ${board[6]} ${board[7]} ${board[8]}"
    echo
}

finished() {
    three
    [[ -n $won || "${board[*]}" != *-* ]]
}

show
until finished; do
    read -r -p "Where do you go? " square || exit
    if [[ ! $square =~ ^[1-9]$ || ${board[square - 1]} != - ]]; then
        echo "Please type the number of a free square."
        continue
    fi
    board[square - 1]=X
    finished && break
    best=-2
    for i in 0 1 2 3 4 5 6 7 8; do
        [[ ${board[i]} == - ]] || continue
        board[i]=O
        value X
        board[i]=-
        ((worth > best)) && best=$worth move=$i
    done
    board[move]=O
    echo "I go to $((move + 1))."
    show
done
[[ $won == X ]] && show && echo "You win!"
[[ $won == O ]] && echo "I win!"
[[ -z $won ]] && show && echo "Nobody wins: a draw."
