// Tres en raya: el tablero se dibuja una vez por ronda; las casillas se escriben como fila,columna.
const readline = require("readline");

const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
const tablero = [["_", "_", "_"], ["_", "_", "_"], ["_", "_", "_"]];

function dibujar() {
  console.log("");
  for (const fila of tablero) console.log(" " + fila.join(" | "));
  console.log("");
}

function gana(ficha) {
  const t = tablero;
  for (let i = 0; i < 3; i++) {
    if (t[i][0] === ficha && t[i][1] === ficha && t[i][2] === ficha) return true;
    if (t[0][i] === ficha && t[1][i] === ficha && t[2][i] === ficha) return true;
  }
  if (t[1][1] !== ficha) return false;
  return (t[0][0] === ficha && t[2][2] === ficha) || (t[0][2] === ficha && t[2][0] === ficha);
}

function libres() {
  const lista = [];
  for (let f = 0; f < 3; f++) for (let c = 0; c < 3; c++) if (tablero[f][c] === "_") lista.push([f, c]);
  return lista;
}

function valor(ficha) {
  if (gana("O")) return 1;
  if (gana("X")) return -1;
  if (libres().length === 0) return 0;
  let mejor = ficha === "O" ? -1 : 1;
  for (const [f, c] of libres()) {
    tablero[f][c] = ficha;
    const v = valor(ficha === "O" ? "X" : "O");
    tablero[f][c] = "_";
    mejor = ficha === "O" ? Math.max(mejor, v) : Math.min(mejor, v);
  }
  return mejor;
}

function jugarMaquina() {
  let mejor = -2;
  let jugada = null;
  for (const [f, c] of libres()) {
    tablero[f][c] = "O";
    const v = valor("X");
    tablero[f][c] = "_";
    if (v > mejor) {
      mejor = v;
      jugada = [f, c];
    }
  }
  tablero[jugada[0]][jugada[1]] = "O";
}

function fin(texto) {
  console.log(texto);
  rl.close();
}

function turno() {
  rl.question("Tu jugada (fila,columna del 1 al 3): ", (texto) => {
    const partes = texto.split(",").map((p) => parseInt(p, 10) - 1);
    const bien = partes.length === 2 && partes.every((n) => n >= 0 && n <= 2);
    if (!bien || tablero[partes[0]][partes[1]] !== "_") {
      console.log(bien ? "Esa casilla está ocupada." : "Jugada no válida, escribe por ejemplo 1,2");
      return turno();
    }
    tablero[partes[0]][partes[1]] = "X";
    if (gana("X")) return fin("¡Has ganado!");
    if (libres().length === 0) return fin("Empate.");
    jugarMaquina();
    dibujar();
    if (gana("O")) return fin("Gana la computadora.");
    turno();
  });
}

rl.on("close", () => process.exit(0));
console.log("Tres en raya: tú eres X y empiezas.");
dibujar();
turno();
