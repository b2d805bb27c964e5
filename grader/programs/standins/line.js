// Reads a line of the terminal, letter by letter, and waits for it; null at the end of input.
const fs = require("fs");

exports.line = (text) => {
  if (text) fs.writeSync(1, String(text));
  const bytes = [];
  const one = Buffer.alloc(1);
  for (;;) {
    let count = 0;
    try {
      count = fs.readSync(0, one, 0, 1, null);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      if (error.code !== "EOF") throw error;
    }
    if (count === 0) return bytes.length ? Buffer.from(bytes).toString() : null;
    if (one[0] === 10) return Buffer.from(bytes).toString().replace(/\r$/, "");
    bytes.push(one[0]);
  }
};
