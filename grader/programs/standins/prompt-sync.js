// Stands in for the package prompt-sync where it is not installed: asks, and reads a line of the terminal.
const { line } = require("./line");

module.exports = () => {
  const prompt = (text, value) => {
    const typed = line(text);
    return typed === "" && typeof value === "string" ? value : typed;
  };
  prompt.hide = prompt;
  return prompt;
};
