// Timers of a few seconds are up at once: a program that waits before it replies is seen in more games.
const timers = require("timers");
const promises = require("timers/promises");
const { promisify } = require("util");
const { syncBuiltinESMExports } = require("module");

const LONGEST = 5000; // milliseconds; what waits longer is a clock of the game
const shortened = (time) => (time <= LONGEST ? 0 : time);
const { setTimeout: later } = globalThis;
const { setTimeout: promised } = promises;
const { wait } = Atomics;

const soon = (call, time, ...given) => later(call, shortened(time), ...given);
soon[promisify.custom] = promises.setTimeout = (time, ...given) => promised(shortened(time), ...given);
globalThis.setTimeout = timers.setTimeout = soon;
Atomics.wait = (place, at, value, time) => wait(place, at, value, shortened(time));
syncBuiltinESMExports();
