// The game and its progress, after pages/base.js. The element #payload has the feedback of every guess on every board,
// as puzzle_page.py packs it, so nothing here knows a rule. Progress is kept in the browser's localStorage.

const WINS = 0; // the number of the feedback that says that the guess is the hidden word

let game = null;
let progress = null;

// ------------------------------------------------------------------------------------------------ the game

/** Return the game of a payload: words, their numbers by text, and for each puzzle and board the feedback of each guess. */
function gameOf({ header, columns }) {
  const ids = numbers(columns[0]);
  const count = ids.length / header.length;
  const symbolsOf = (word) =>
    Array.from(ids.subarray(word * header.length, (word + 1) * header.length), (id) => header.symbols[id]);
  const texts = Array.from({ length: count }, (_, word) => symbolsOf(word).join(header.separator));
  const boards = header.count * header.boards;
  const masks = columns.at(-1);
  const [feedback, demands] = [columns.slice(1, 1 + boards), columns.slice(1 + boards, 1 + 2 * boards)].map((some) => some.map(numbers));
  const of = (some) => (puzzle, board) => some[puzzle * header.boards + board];
  return {
    ...header, texts, symbolsOf, feedback: of(feedback), demand: of(demands), masks,
    shown: header.feedback, wordOf: new Map(texts.map((text, word) => [text, word])),
    folds: header.symbols.every((symbol) => symbol === symbol.toLowerCase()),
  };
}

/** Return the forms in which a text may be among the words: composed or not, and in small letters if all symbols are. */
function formsOf(written) {
  const forms = [written.normalize("NFC"), written.normalize("NFD")];
  return game.folds ? [...forms, ...forms.map((form) => form.toLowerCase())] : forms;
}

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

/** Return the symbols in the input field, in the form that the words have. */
function typed() {
  const forms = formsOf($("guess").value.trim()).map(split);
  return forms.find((symbols) => symbols.every((symbol) => game.known.has(symbol))) ?? forms[0];
}

/** Return a puzzle as it stands: its guesses, the feedback on each board, and whether it is over. */
function playOf(puzzle) {
  const { guesses, gaveUp } = progress.plays[puzzle];
  return stateAfter(puzzle, guesses, gaveUp);
}

/** Return a puzzle as it stands after some guesses. */
function stateAfter(puzzle, guesses, gaveUp = false) {
  const boards = Array.from({ length: game.boards }, (_, board) => {
    const seen = guesses.map((word) => game.feedback(puzzle, board)[word]);
    const turn = seen.indexOf(WINS);
    return { board, turn, solved: turn >= 0, seen: turn >= 0 ? seen.slice(0, turn + 1) : seen };
  });
  const solved = boards.every((board) => board.solved);
  return { puzzle, guesses, gaveUp, boards, solved, over: solved || gaveUp || guesses.length >= game.cap };
}

/** Return the hidden word of a board: the guess that wins on it. */
const hiddenWord = (puzzle, board) => game.texts[game.feedback(puzzle, board).indexOf(WINS)];

/** Return why hard mode forbids a guess, or an empty text. */
function hardModeProblem(play, word) {
  if (!game.hardMode) return "";
  for (const { board, solved } of play.boards) {
    for (const earlier of solved ? [] : play.guesses) {
      const problem = demandProblem(game.demand(play.puzzle, board)[earlier], word);
      const where = game.boards > 1 ? ` on board ${board + 1}` : "";
      if (problem) return `Hard mode${where}: ${problem}, as ${game.texts[earlier]} showed.`;
    }
  }
  return "";
}

/** Return why a guess does not meet a demand of hard mode, or an empty text. */
function demandProblem(demand, word) {
  if (!game.demands.length) {
    const size = Math.ceil(game.texts.length / 8);
    const allowed = game.masks[demand * size + (word >> 3)] & (128 >> (word & 7));
    return allowed ? "" : `${game.texts[word]} is not allowed`;
  }
  const symbols = game.symbolsOf(word);
  const [placed, counts] = game.demands[demand];
  for (const [place, symbol] of placed) if (symbols[place] !== symbol) return `place ${place + 1} must be ${symbol}`;
  for (const [symbol, count] of counts) {
    const found = symbols.filter((one) => one === symbol).length;
    if (found < count) return `the guess must use ${symbol}${count > 1 ? ` ${count} times` : ""}`;
  }
  return "";
}

// ------------------------------------------------------------------------------------------------ progress

const KEY = () => `wordle-kit puzzle ${game.key}`;
const CONTRAST = "wordle-kit contrast";

/** Return what localStorage has under a key, or null; a browser may refuse it. */
function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key; if the browser refuses, tell the player. */
function store(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    $("forgetful").textContent = "This browser does not let the page keep your progress: it is lost when you close the page.";
  }
}

const noProgress = () => ({ puzzle: 0, plays: Array.from({ length: game.count }, () => ({ guesses: [], gaveUp: false })) });

/** Return the progress stored in a text; whatever is not progress on this page is ignored. */
function progressOf(text) {
  const read = noProgress();
  let kept = null;
  try {
    kept = JSON.parse(text);
  } catch {
    return read;
  }
  if (Number.isInteger(kept?.puzzle) && kept.puzzle >= 0 && kept.puzzle < game.count) read.puzzle = kept.puzzle;
  for (const [puzzle, play] of read.plays.entries()) {
    const old = Array.isArray(kept?.plays) ? kept.plays[puzzle] : null;
    if (!Array.isArray(old?.guesses) || !old.guesses.every((word) => game.wordOf.has(word))) continue;
    play.guesses = old.guesses.slice(0, game.cap).map((word) => game.wordOf.get(word));
    play.gaveUp = old.gaveUp === true;
  }
  return read;
}

const save = () => store(KEY(), JSON.stringify({
  ...progress, plays: progress.plays.map(({ guesses, gaveUp }) => ({ guesses: guesses.map((word) => game.texts[word]), gaveUp })),
}));


// ------------------------------------------------------------------------------------------------ statistics

const HISTORY = () => `wordle-kit statistics ${game.fingerprint}`;

/** Return the puzzles of this game that were finished in this browser, the oldest first: [which, guesses or 0]. */
function history() {
  try {
    const kept = JSON.parse(stored(HISTORY()));
    return kept.filter((one) => Array.isArray(one) && typeof one[0] === "string" && Number.isInteger(one[1]));
  } catch {
    return [];
  }
}

/** Keep how a puzzle ended. One that is played again after a new start counts as it ended first. */
function remember(play) {
  const which = `${game.key} ${play.puzzle}`;
  const all = history();
  if (all.some(([other]) => other === which)) return;
  const inTime = play.solved && play.guesses.length <= game.maxGuesses;
  store(HISTORY(), JSON.stringify([...all, [which, inTime ? play.guesses.length : 0]]));
}

/** Return the statistics of finished puzzles. Those that took more guesses than allowed count as not solved. */
function statistics() {
  const turns = history().map(([, guesses]) => guesses);
  const counts = new Map();
  let [current, longest] = [0, 0];
  for (const one of turns) {
    if (one) counts.set(one, (counts.get(one) ?? 0) + 1);
    current = one ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return { played: turns.length, solved: turns.filter(Boolean).length, current, longest, counts };
}
