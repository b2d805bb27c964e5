// Tic-tac-toe in Rust: the program is X and moves first.
use std::io;

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6],
    [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Empty,
    X,
    O,
}

type Board = [Cell; 9];

fn winner(board: &Board) -> Option<Cell> {
    for [a, b, c] in LINES {
        if board[a] != Cell::Empty && board[a] == board[b] && board[b] == board[c] {
            return Some(board[a]);
        }
    }
    None
}

fn full(board: &Board) -> bool {
    board.iter().all(|&cell| cell != Cell::Empty)
}

/// Value of the board for X, with alpha-beta pruning.
fn value(board: &mut Board, turn: Cell, mut alpha: i32, mut beta: i32) -> i32 {
    match winner(board) {
        Some(Cell::X) => return 1,
        Some(_) => return -1,
        None => {}
    }
    if full(board) {
        return 0;
    }
    for i in 0..9 {
        if board[i] != Cell::Empty {
            continue;
        }
        board[i] = turn;
        let v = value(board, if turn == Cell::X { Cell::O } else { Cell::X }, alpha, beta);
        board[i] = Cell::Empty;
        if turn == Cell::X { alpha = alpha.max(v) } else { beta = beta.min(v) }
        if alpha >= beta {
            break;
        }
    }
    if turn == Cell::X { alpha } else { beta }
}

fn computer_move(board: &mut Board) {
    let (mut best, mut chosen) = (-2, 0);
    for i in [4, 0, 2, 6, 8, 1, 3, 5, 7] {
        if board[i] == Cell::Empty {
            board[i] = Cell::X;
            let v = value(board, Cell::O, -1, 1);
            board[i] = Cell::Empty;
            if v > best {
                best = v;
                chosen = i;
            }
        }
    }
    board[chosen] = Cell::X;
    println!("My move is {}", chosen + 1);
}

fn print(board: &Board) {
    println!("-------------");
    for row in board.chunks(3) {
        let signs: Vec<&str> = row.iter().map(|c| match c { Cell::Empty => " ", Cell::X => "X", Cell::O => "O" }).collect();
        println!("| {} |", signs.join(" | "));
        println!("-------------");
    }
}

fn main() {
    let mut board = [Cell::Empty; 9];
    println!("Welcome to TTT!");
    while winner(&board).is_none() && !full(&board) {
        computer_move(&mut board);
        print(&board);
        while winner(&board).is_none() && !full(&board) {
            println!("Your turn. Which square, 1 to 9?");
            let mut text = String::new();
            if io::stdin().read_line(&mut text).unwrap_or(0) == 0 {
                println!("Goodbye.");
                return;
            }
            match text.trim().parse::<usize>() {
                Ok(n) if (1..=9).contains(&n) && board[n - 1] == Cell::Empty => {
                    board[n - 1] = Cell::O;
                    print(&board);
                    break;
                }
                Ok(n) if (1..=9).contains(&n) => println!("Square {} is taken.", n),
                _ => println!("That is not a square."),
            }
        }
    }
    match winner(&board) {
        Some(Cell::X) => println!("I won!"),
        Some(_) => println!("You won!"),
        None => println!("We have a tie!"),
    }
}
