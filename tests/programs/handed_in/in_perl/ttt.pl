#!/usr/bin/perl
# Tic-tac-toe: the computer is X and begins.
use strict;
use warnings;
$| = 1;

my @lines = ([0,1,2], [3,4,5], [6,7,8], [0,3,6], [1,4,7], [2,5,8], [0,4,8], [2,4,6]);
my %known;

sub three {
    my ($b) = @_;
    for my $l (@lines) {
        my ($p, $q, $r) = map { substr($b, $_, 1) } @$l;
        return $p if $p ne '.' && $p eq $q && $q eq $r;
    }
    return '';
}

sub value {    # for X
    my ($b, $turn) = @_;
    my $w = three($b);
    return $w eq 'X' ? 1 : -1 if $w;
    return 0 if index($b, '.') < 0;
    return $known{$b} if exists $known{$b};
    my $best = $turn eq 'X' ? -2 : 2;
    for my $i (0 .. 8) {
        next if substr($b, $i, 1) ne '.';
        my $c = $b;
        substr($c, $i, 1) = $turn;
        my $v = value($c, $turn eq 'X' ? 'O' : 'X');
        $best = $v if $turn eq 'X' ? $v > $best : $v < $best;
    }
    return $known{$b} = $best;
}

sub show {
    my ($b) = @_;
    my @c = map { substr($b, $_, 1) eq '.' ? $_ + 1 : substr($b, $_, 1) } 0 .. 8;
    print "\n $c[0] | $c[1] | $c[2]\n---+---+---\n $c[3] | $c[4] | $c[5]\n---+---+---\n $c[6] | $c[7] | $c[8]\n\n";
}

my $board = '.' x 9;
my $turn  = 'X';
while (!three($board) && index($board, '.') >= 0) {
    if ($turn eq 'X') {
        my ($move, $best) = (-1, -2);
        for my $i (0 .. 8) {
            next if substr($board, $i, 1) ne '.';
            my $c = $board;
            substr($c, $i, 1) = 'X';
            my $v = value($c, 'O');
            ($move, $best) = ($i, $v) if $v > $best;
        }
        substr($board, $move, 1) = 'X';
        print "I take ", $move + 1, ".\n";
        show($board);
    }
    else {
        print "Your square (1-9): ";
        my $line = <STDIN>;
        last unless defined $line;
        chomp $line;
        if ($line !~ /^[1-9]$/ || substr($board, $line - 1, 1) ne '.') {
            print "That will not do.\n";
            next;
        }
        substr($board, $line - 1, 1) = 'O';
        show($board);
    }
    $turn = $turn eq 'X' ? 'O' : 'X';
}
my $w = three($board);
print $w eq 'X' ? "X wins.\n" : $w eq 'O' ? "O wins.\n" : index($board, '.') < 0 ? "It is a tie.\n" : "";
