// The game and its progress, after pages/base.js. The data has the feedback of every guess on every board, as
// puzzle_page.py writes it, so nothing here knows a rule. Progress is kept in the browser's localStorage.

const WINS = 0; // the number of the feedback that says that the guess is the hidden word

let game = null;
let current = 0; // the number of the puzzle that is shown
let plays = []; // for each puzzle, its guesses as words, and whether it was given up

// ------------------------------------------------------------------------------------------------ the game

/** Return the game of the page's data. */
const gameOf = (data) => ({
  ...data,
  count: data.puzzles.length,
  known: new Set(data.symbols),
  idOf: new Map(data.words.map((word, id) => [word, id])),
  folds: data.symbols.every((symbol) => symbol === symbol.toLowerCase()),
});

const feedbackOf = (puzzle, board) => game.feedback[puzzle * game.boards + board];

/** Return a text in lower case, as the game's alphabet has it: I becomes ı if it has a dotless ı. */
const lower = (text) => (game.known.has("ı") ? text.replaceAll("İ", "i").replaceAll("I", "ı") : text).toLowerCase();

/** Return the symbols of a text, the longest first from the left; an unknown character counts as a symbol. */
function split(text) {
  if (game.separator) return text.split(game.separator).filter(Boolean);
  const longest = Math.max(...game.symbols.map((symbol) => symbol.length));
  const found = [];
  for (let rest = text; rest;) {
    let size = Math.min(longest, rest.length);
    while (size > 0 && !game.known.has(rest.slice(0, size))) size--;
    const symbol = size ? rest.slice(0, size) : String.fromCodePoint(rest.codePointAt(0));
    found.push(symbol);
    rest = rest.slice(symbol.length);
  }
  return found;
}

/** Return the symbols in the input field, in the form that the words have: composed or not, perhaps in small letters. */
function typed() {
  const written = $("guess").value.trim();
  const forms = [written.normalize("NFC"), written.normalize("NFD")];
  const each = (game.folds ? [...forms, ...forms.map(lower)] : forms).map(split);
  return each.find((symbols) => symbols.every((symbol) => game.known.has(symbol))) ?? each[0];
}

/** Return a puzzle as it stands: its guesses, the feedback on each board, and whether it is over. */
function playOf(puzzle) {
  const { guesses, gaveUp } = plays[puzzle];
  const boards = Array.from({ length: game.boards }, (_, board) => {
    const seen = guesses.map((word) => feedbackOf(puzzle, board)[game.idOf.get(word)]);
    const turn = seen.indexOf(WINS);
    return { board, turn, solved: turn >= 0, seen: turn >= 0 ? seen.slice(0, turn + 1) : seen };
  });
  const solved = boards.every((board) => board.solved);
  return { puzzle, guesses, gaveUp, boards, solved, over: solved || gaveUp || guesses.length >= game.maxGuesses };
}

/** Return the hidden word of a board: the guess that wins on it. */
const hiddenWord = (puzzle, board) => game.words[feedbackOf(puzzle, board).indexOf(WINS)];

/** Return why hard mode forbids a guess, or an empty text. */
function hardModeProblem(play, word) {
  if (!game.hardMode) return "";
  for (const { board, solved } of play.boards) {
    for (const earlier of solved ? [] : play.guesses) {
      const number = game.obligationOf[play.puzzle * game.boards + board][game.idOf.get(earlier)];
      const problem = missing(game.obligations[number], word);
      const where = game.boards > 1 ? ` on board ${board + 1}` : "";
      if (problem) return `Hard mode${where}: ${problem}, as ${earlier} showed.`;
    }
  }
  return "";
}

/** Return which obligation of hard mode a guess does not meet, or an empty text. */
function missing([placed, counts], word) {
  const symbols = split(word);
  for (const [place, symbol] of placed) if (symbols[place] !== symbol) return `place ${place + 1} must be ${symbol}`;
  for (const [symbol, count] of counts) {
    const found = symbols.filter((one) => one === symbol).length;
    if (found < count) return `the guess must use ${symbol}${count > 1 ? ` ${count} times` : ""}`;
  }
  return "";
}

// ------------------------------------------------------------------------------------------------ progress

const KEY = (puzzle) => `wordle-kit puzzle ${game.puzzles[puzzle]}`;
const HISTORY = () => `wordle-kit statistics ${game.fingerprint}`;
const CONTRAST = "wordle-kit contrast";

/** Return what localStorage has under a key, or null if it has nothing that can be read; a browser may refuse it. */
function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Keep a value under a key; if the browser refuses, tell the player. */
function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    $("forgetful").textContent = "This browser does not let the page keep your progress: it is lost when you close the page.";
  }
}

/** Read the progress of every puzzle, and turn to the first that is not over. */
function readProgress() {
  plays = game.puzzles.map((_, puzzle) => {
    const kept = stored(KEY(puzzle));
    const whole = Array.isArray(kept?.guesses) && kept.guesses.every((word) => game.idOf.has(word));
    return whole ? { guesses: kept.guesses.slice(0, game.maxGuesses), gaveUp: kept.gaveUp === true } : { guesses: [], gaveUp: false };
  });
  current = Math.max(0, plays.findIndex((_, puzzle) => !playOf(puzzle).over));
}

const save = (puzzle) => store(KEY(puzzle), plays[puzzle]);

// ------------------------------------------------------------------------------------------------ statistics

/** Return the puzzles of this game that were finished in this browser, the oldest first: [which, guesses or 0]. */
function history() {
  const kept = stored(HISTORY());
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.[0] === "string" && Number.isInteger(one[1])) : [];
}

/** Keep how a puzzle ended. One that is played again after a new start counts as it ended first. */
function remember({ puzzle, solved, guesses }) {
  const all = history();
  if (all.some(([which]) => which === game.puzzles[puzzle])) return;
  store(HISTORY(), [...all, [game.puzzles[puzzle], solved ? guesses.length : 0]]);
}

/** Return the statistics of finished puzzles. */
function statistics() {
  const turns = history().map(([, guesses]) => guesses);
  const counts = new Map();
  let [streak, longest] = [0, 0];
  for (const one of turns) {
    if (one) counts.set(one, (counts.get(one) ?? 0) + 1);
    streak = one ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return { played: turns.length, solved: turns.filter(Boolean).length, streak, longest, counts };
}
