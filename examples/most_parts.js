// Guesses the candidate that splits the candidates into the most parts, for games with the rule `wordle`.
//
//     wordle-kit tournament -s "program(argv='node most_parts.js')"
//
// Speaks version 1 of wordle-kit's protocol: a line of JSON in, a line of JSON out.
"use strict";

const lines = require("readline").createInterface({ input: process.stdin });
let game = null;

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// Return a word as a list of symbols, the longest symbol first where symbols are longer than a character.
function split(word) {
  if (game.separator) return word.split(game.separator);
  const symbols = [...game.alphabet].sort((a, b) => b.length - a.length);
  const found = [];
  for (let at = 0; at < word.length; at += found[found.length - 1].length) {
    found.push(symbols.find((symbol) => word.startsWith(symbol, at)));
  }
  return found;
}

// Return the feedback on a guess as digits: 2 in place, 1 elsewhere, 0 not, each copy of a symbol counted once.
function feedback(guess, answer) {
  const marks = new Array(guess.length).fill(0);
  const left = new Map();
  for (let i = 0; i < guess.length; i++) {
    if (guess[i] === answer[i]) marks[i] = 2;
    else left.set(answer[i], (left.get(answer[i]) || 0) + 1);
  }
  for (let i = 0; i < guess.length; i++) {
    if (marks[i] === 0 && left.get(guess[i]) > 0) {
      marks[i] = 1;
      left.set(guess[i], left.get(guess[i]) - 1);
    }
  }
  return marks.join("");
}

// Return the answers that agree with all feedback on a board.
function candidates(board, history) {
  return game.words.filter((answer) =>
    history.every((turn) => turn.feedback[board] === null || feedback(split(turn.guess), answer) === turn.feedback[board])
  );
}

// Return the candidates of the open board that has the fewest.
function hardest(history) {
  let fewest = null;
  for (let board = 0; board < game.boards; board++) {
    if (history.some((turn) => turn.feedback[board] === game.winning)) continue;
    const left = candidates(board, history);
    if (fewest === null || left.length < fewest.length) fewest = left;
  }
  return fewest;
}

function guess(position) {
  const left = hardest(position.history);
  let best = null;
  let most = 0;
  for (const word of left) {
    const parts = new Set(left.map((answer) => feedback(word, answer))).size;
    if (parts > most) [best, most] = [word, parts];
  }
  return best.join(game.separator);
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "game" && message.rule !== "wordle") {
    say({ type: "unable", problem: `it knows the rule wordle only, not ${message.rule}` });
  } else if (message.type === "game") {
    game = message;
    game.words = game.answers.map(split);
    say({ type: "ready", protocol: 1 });
  } else {
    say({ id: message.id, guess: guess(message) });
  }
});
