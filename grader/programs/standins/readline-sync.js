// Stands in for the package readline-sync where it is not installed: the questions that a game asks.
const { line } = require("./line");

const shown = (text, fallback) => (text === undefined ? fallback : String(text));
const question = (text, options = {}) => {
  const typed = line(shown(text, "")) ?? "";
  return typed === "" && options.defaultInput !== undefined ? options.defaultInput : typed;
};
const number = (read, isNumber) => (text) => {
  for (;;) {
    const found = read(question(text));
    if (isNumber(found)) return found;
  }
};

module.exports = {
  question,
  prompt: (options) => question("> ", options),
  questionInt: number((text) => parseInt(text, 10), Number.isInteger),
  questionFloat: number(parseFloat, (found) => !Number.isNaN(found)),
  questionNewPassword: question,
  setDefaultOptions: () => ({}),
  keyIn: (text) => question(text).slice(0, 1),
  keyInPause: (text) => void question(shown(text, "Continue... (Hit any key)")),
  keyInYN: (text) => /^y/i.test(question(`${shown(text, "Are you sure?")} [y/n]: `)),
  keyInYNStrict: (text) => /^y/i.test(question(`${shown(text, "Are you sure?")} [y/n]: `)),
  keyInSelect: (items, text, options = {}) => {
    items.forEach((item, at) => console.log(`[${at + 1}] ${item}`));
    if (options.cancel !== false) console.log("[0] CANCEL");
    return parseInt(question(`${shown(text, "Choose one from list")}: `), 10) - 1;
  },
};
