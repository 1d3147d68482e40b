// The page of puzzles, after pages/base.js. The element #payload has the feedback of every guess on every board, as
// puzzle_page.py packs it, so nothing here knows a rule. Progress is kept in the browser's localStorage.

const MOST_KEYS = 40; // symbols of an alphabet that gets an on-screen keyboard
const EMPTY_ROWS = 10; // guesses for which empty rows are shown
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
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
  const [feedback, demands] = [columns.slice(1, 1 + boards), columns.slice(1 + boards, 1 + 2 * boards)].map((some) => some.map(numbers));
  const of = (some) => (puzzle, board) => some[puzzle * header.boards + board];
  return {
    ...header, texts, symbolsOf, feedback: of(feedback), demand: of(demands), masks: columns.at(-1),
    shown: header.feedback, wordOf: new Map(texts.map((text, word) => [text, word])),
    folds: header.symbols.every((symbol) => symbol === symbol.toLowerCase()),
  };
}

/** Return the forms in which a text may be among the words: composed or not, and in small letters if all symbols are. */
function formsOf(text) {
  const forms = [text.normalize("NFC"), text.normalize("NFD")];
  return game.folds ? [...forms, ...forms.map((form) => form.toLowerCase())] : forms;
}

/** Return the symbols of a text from the left, the longest first; what is not a symbol counts as one. */
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

/** Return the symbols that are typed so far, in the form that the words have. */
function typed() {
  const forms = formsOf($("guess").value.trim()).map(split);
  return forms.find((symbols) => symbols.every((symbol) => game.known.has(symbol))) ?? forms[0];
}

/** Return a play: its guesses, the hidden words as far as they are found, and how it stands. */
function playOf(puzzle) {
  const { guesses, gaveUp } = progress.plays[puzzle];
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

/** Keep a text under a key, and say so if the browser refuses. */
function store(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    $("forgetful").textContent = "This browser does not let the page keep your progress: it is lost when you close the page.";
  }
}

const noProgress = () => ({ puzzle: 0, name: "", plays: Array.from({ length: game.count }, () => ({ guesses: [], gaveUp: false })) });

/** Return the progress that a text holds, without anything that is not progress of this page. */
function progressOf(text) {
  const read = noProgress();
  let kept = null;
  try {
    kept = JSON.parse(text);
  } catch {
    return read;
  }
  if (typeof kept?.name === "string") read.name = kept.name;
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

// ------------------------------------------------------------------------------------------------ boards

/** Return a guess with its feedback: tiles if the rule has marks, otherwise the word with the feedback beside it. */
function row(word, code) {
  const [symbols, text] = [game.symbolsOf(word), game.shown[code]];
  if (game.tiles) return tiled(game.texts[word], symbols, text);
  const picture = game.pictures[code] === text ? null : element("span", { class: "pegs", "aria-hidden": "true" }, game.pictures[code]);
  return element("span", { class: "guess", "data-word": game.texts[word], "data-feedback": text },
    element("span", { class: "plain" }, named(game.texts[word])), picture, element("code", {}, text));
}

/** Return an empty row, or one with what is typed; screen readers read the input instead. */
function emptyRow(symbols) {
  const places = Math.max(game.length, symbols.length);
  const shown = game.tiles
    ? Array.from({ length: places }, (_, place) => element("span", { class: "tile" }, symbols[place] ?? ""))
    : [element("span", { class: "plain" }, symbols.join(game.separator) || "·".repeat(game.length))];
  return element("li", { class: "empty", "aria-hidden": "true" }, element("span", { class: "guess" }, ...shown));
}

function showBoards(play) {
  const several = game.boards > 1;
  const rows = game.maxGuesses > EMPTY_ROWS || several ? 0 : game.maxGuesses;
  $("boards").classList.toggle("several", several);
  $("boards").replaceChildren(...play.boards.map(({ board, seen, solved, turn }) => {
    const items = seen.map((code, number) => element("li", { class: number >= game.maxGuesses ? "late" : null }, row(play.guesses[number], code)));
    if (!play.over && !solved) items.push(emptyRow(typed()));
    while (!play.over && items.length < rows) items.push(emptyRow([]));
    const ending = solved ? `, solved with guess ${turn + 1}` : play.over ? `: ${hiddenWord(play.puzzle, board)}` : "";
    return element("section", { class: several ? "card board" : "card board alone", "aria-label": several ? `Board ${board + 1}` : "Board" },
      several ? element("h3", {}, `Board ${board + 1}`, named(ending)) : null,
      items.length ? element("ol", {}, ...items) : element("p", { class: "note" }, "No guess"));
  }));
}

// ------------------------------------------------------------------------------------------------ the keyboard

/** Return the rows of keys: of a typewriter if the alphabet has its letters, then all other symbols in their order. */
function keyRows() {
  const rows = ROWS.map((letters) => [...letters]).filter((letters) => letters.every((letter) => game.known.has(letter)));
  const placed = rows.length === ROWS.length ? rows : [];
  const others = game.symbols.filter((symbol) => !placed.flat().includes(symbol));
  return others.length ? [...placed, others] : placed;
}

let keys = new Map();
function prepareKeys() {
  const keep = (event) => event.preventDefault(); // the focus stays where it is when a key is clicked
  const rows = game.symbols.length > MOST_KEYS ? [] : keyRows();
  const made = rows.map((symbols) => element("div", { class: "keys" }, ...symbols.map((symbol) => {
    const key = element("button", { type: "button", class: "key", "data-symbol": symbol, mousedown: keep, click: () => type(symbol) });
    keys.set(symbol, key);
    return key;
  })));
  const last = element("div", { class: "keys" },
    element("button", { type: "button", class: "key", id: "delete", mousedown: keep, click: remove }, "Delete"),
    element("button", { type: "button", class: "key", id: "enter", mousedown: keep, click: guess }, "Enter"));
  $("keys").replaceChildren(...made, ...(rows.length ? [last] : []));
  $("keys").hidden = !rows.length;
}

/** Return the mark that says most about a symbol on a board, or null: correct, then present, then others, then absent. */
function markOf(symbol, play, { seen }) {
  const worth = (mark) => [0, 99, 100][mark] ?? mark;
  let best = null;
  for (const [turn, code] of seen.entries()) {
    for (const [place, one] of game.symbolsOf(play.guesses[turn]).entries()) {
      const mark = Number(game.shown[code][place]);
      if (one === symbol && (best === null || worth(mark) > worth(best))) best = mark;
    }
  }
  return best;
}

function showKeys(play) {
  const guessed = new Set(play.guesses.flatMap((word) => game.symbolsOf(word)));
  for (const [symbol, key] of keys) {
    key.disabled = play.over;
    delete key.dataset.mark;
    if (!game.tiles) {
      key.replaceChildren(symbol);
      key.classList.toggle("guessed", guessed.has(symbol));
      key.setAttribute("aria-label", guessed.has(symbol) ? `${symbol}, guessed` : symbol);
      continue;
    }
    const marks = play.boards.map((board) => markOf(symbol, play, board));
    if (game.boards === 1) {
      const [mark] = marks;
      if (mark !== null) key.dataset.mark = mark;
      key.replaceChildren(symbol, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[mark] ?? ""));
      key.setAttribute("aria-label", mark === null ? symbol : `${symbol}, ${MARKS[mark]}`);
      continue;
    }
    const known = play.boards.map(({ solved }, board) => ({ board, mark: solved ? null : marks[board] }));
    if (known.some(({ mark }) => mark === 0) && known.every(({ board, mark }) => mark === 0 || play.boards[board].solved)) key.dataset.mark = 0;
    const said = known.filter(({ mark }) => mark !== null).map(({ board, mark }) => `board ${board + 1} ${MARKS[mark]}`);
    key.replaceChildren(symbol, element("span", { class: "known", "aria-hidden": "true" },
      ...known.map(({ mark }) => element("i", { "data-mark": mark }))));
    key.setAttribute("aria-label", [symbol, ...said].join(", "));
  }
  for (const id of ["delete", "enter"]) if ($(id)) $(id).disabled = play.over;
}

/** Add a symbol to what is typed. */
function type(symbol) {
  const text = $("guess").value;
  $("guess").value = text && game.separator ? `${text}${game.separator}${symbol}` : text + symbol;
  showBoards(playOf(progress.puzzle));
}

/** Remove the last symbol of what is typed. */
function remove() {
  $("guess").value = typed().slice(0, -1).join(game.separator);
  showBoards(playOf(progress.puzzle));
}

// ------------------------------------------------------------------------------------------------ playing

/** Show a message, after text that only screen readers say. */
function say(message, unseen = "") {
  $("message").replaceChildren(...(unseen ? [element("span", { class: "unseen" }, `${unseen} `)] : []), message);
}

/** Return why what is typed is not a guess, or an empty text. */
function refusal(play, word) {
  if (word !== undefined) return hardModeProblem(play, word);
  const symbols = typed();
  const strange = symbols.find((symbol) => !game.known.has(symbol));
  if (!symbols.length) return "Type a guess first.";
  if (strange !== undefined) return `“${strange}” is not one of the symbols of this game.`;
  if (symbols.length !== game.length) return `“${symbols.join(game.separator)}” has ${plural(symbols.length, "symbol")}; words have ${game.length}.`;
  return `“${symbols.join(game.separator)}” is not in the word list.`;
}

/** Guess what is typed, or say why it cannot be guessed. */
function guess() {
  const play = playOf(progress.puzzle);
  if (play.over) return;
  const word = game.wordOf.get(typed().join(game.separator));
  const refused = refusal(play, word);
  if (refused) {
    say(refused);
    return;
  }
  progress.plays[progress.puzzle].guesses.push(word);
  $("guess").value = "";
  save();
  const after = playOf(progress.puzzle);
  show();
  say(standing(after), spoken(after));
  if (after.over) $("outcome").focus();
}

/** Return what the last guess got, as it is said. */
function spoken({ guesses, boards }) {
  const word = guesses.at(-1);
  const parts = boards.filter(({ seen }) => seen.length === guesses.length).map(({ board, seen }) => {
    const text = game.shown[seen.at(-1)];
    const marks = game.tiles ? inWords(game.symbolsOf(word), text) : text;
    return game.boards > 1 ? `Board ${board + 1}: ${marks}.` : `${marks}.`;
  });
  return `Guess ${guesses.length}, ${game.texts[word]}. ${parts.join(" ")}`;
}

/** Return how a play stands. */
function standing({ guesses, over, solved, gaveUp }) {
  if (solved) return `Solved with ${plural(guesses.length, "guess", "guesses")}${guesses.length > game.maxGuesses ? `, after the ${game.maxGuesses} allowed` : ""}.`;
  if (over) return gaveUp ? "Not solved: given up." : `Not solved with ${plural(guesses.length, "guess", "guesses")}.`;
  const left = game.maxGuesses - guesses.length;
  if (left > 0) return `${plural(left, "guess", "guesses")} left.`;
  const used = game.maxGuesses === 1 ? "The only guess is" : `All ${game.maxGuesses} guesses are`;
  return left === 0 ? `${used} used. You can go on, up to guess ${game.cap}, or show the ${game.boards > 1 ? "words" : "word"}.`
    : `Guess ${guesses.length + 1} of at most ${game.cap}.`;
}

/** Return a play as people share it: a line a guess, without any word. */
function shareText(play) {
  const turns = play.solved ? String(play.guesses.length) : "X";
  const which = game.count > 1 ? ` ${play.puzzle + 1}/${game.count}` : "";
  const blank = (game.tiles ? "  " : " ").repeat([...game.pictures[WINS]].length);
  const lines = play.guesses.map((_, turn) =>
    play.boards.map(({ seen }) => (turn < seen.length ? game.pictures[seen[turn]] : blank)).join("  ").trimEnd());
  const text = [`${game.title}${which}: ${turns}/${game.maxGuesses}${game.hardMode ? "*" : ""}`, "", ...lines].join("\n");
  const recoloured = document.documentElement.classList.contains("contrast") && game.tiles === "⬜🟨🟩";
  return recoloured ? text.replaceAll("🟨", "🟦").replaceAll("🟩", "🟧") : text;
}

// ------------------------------------------------------------------------------------------------ series

/** Return how a play stands in a character or a number. */
function sign(play) {
  if (!play.over) return play.guesses.length ? "…" : "";
  return play.solved ? `✓${play.guesses.length}` : "✗";
}

function showSeries() {
  const plays = progress.plays.map((_, puzzle) => playOf(puzzle));
  $("puzzles").hidden = game.count === 1;
  for (const [puzzle, button] of [...$("puzzles").children].entries()) {
    const play = plays[puzzle];
    button.textContent = `${puzzle + 1} ${sign(play)}`.trim();
    button.setAttribute("aria-label", `Puzzle ${puzzle + 1}, ${play.over || play.guesses.length ? standing(play) : "not begun"}`);
    if (puzzle === progress.puzzle) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  const open = plays.filter((play) => !play.over).length;
  $("next").hidden = !open;
  if (game.count === 1) return;
  $("results").hidden = false;
  const solved = plays.filter((play) => play.solved).length;
  $("summary").textContent = open ? `${plural(open, "puzzle")} to go. You can download your results when all are finished.`
    : `All ${game.count} puzzles are finished, ${solved} of them solved.`;
  $("download").disabled = open > 0 || !$("name").value.trim();
  if (document.activeElement !== $("name")) $("name").value = progress.name;
}

/** Return the results as `wordle-kit leaderboard --humans` reads them; it counts the guesses itself. */
const results = () => ({
  format: "wordle-kit results 1",
  name: progress.name.trim(),
  game: game.game,
  fingerprint: game.fingerprint,
  boards: game.boards,
  max_guesses: game.maxGuesses,
  hard_mode: game.hardMode,
  puzzles: game.puzzles,
  is_sample: game.isSample,
  plays: progress.plays.map((_, puzzle) => playOf(puzzle)).map((play) => ({
    puzzle: play.boards.map(({ board }) => hiddenWord(play.puzzle, board)),
    guesses: play.guesses.map((word) => game.texts[word]),
    gave_up: play.gaveUp,
  })),
});

function download() {
  const file = new Blob([`${JSON.stringify(results(), null, 1)}\n`], { type: "application/json" });
  const stem = progress.name.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "results";
  const link = element("a", { href: URL.createObjectURL(file), download: `${stem}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Turn to a puzzle. */
function turnTo(puzzle) {
  progress.puzzle = puzzle;
  $("guess").value = "";
  save();
  show();
  say(standing(playOf(puzzle)));
  $("heading").focus();
}

// ------------------------------------------------------------------------------------------------ the page

function show() {
  const play = playOf(progress.puzzle);
  $("heading").textContent = game.count > 1 ? `Puzzle ${progress.puzzle + 1} of ${game.count}` : "Your guesses";
  showBoards(play);
  showKeys(play);
  for (const id of ["form", "keys", "reveal"]) $(id).hidden = play.over || (id === "keys" && !keys.size);
  $("ending").hidden = !play.over;
  const hidden = play.boards.map(({ board }) => hiddenWord(progress.puzzle, board)).join(", ");
  $("outcome").replaceChildren(...(play.over ? [`${standing(play)} Hidden: `, named(hidden)] : []));
  $("share").value = play.over ? shareText(play) : "";
  $("share").rows = Math.min(12, play.guesses.length + 2);
  showSeries();
}

function prepare() {
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    guess();
  });
  $("guess").addEventListener("input", () => showBoards(playOf(progress.puzzle)));
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input:not([type=checkbox]), textarea");
    if (writing || event.ctrlKey || event.metaKey || event.altKey || $("form").hidden) return;
    if ((event.key.length === 1 && event.key !== " ") || event.key === "Backspace") $("guess").focus();
    if (event.key === "Enter" && !event.target.closest("button, a, label")) guess();
  });
  $("reveal").addEventListener("click", () => {
    if (!confirm("Give up this puzzle and show what is hidden?")) return;
    progress.plays[progress.puzzle].gaveUp = true;
    save();
    show();
    say(standing(playOf(progress.puzzle)));
    $("outcome").focus();
  });
  $("clear").addEventListener("click", () => {
    if (!confirm("Forget all guesses on this page and start over?")) return;
    progress = { ...noProgress(), name: progress.name };
    turnTo(0);
  });
  $("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText($("share").value);
      say("Copied.");
    } catch {
      $("share").select();
      say("Selected; copy it with the browser's own command.");
    }
  });
  $("next").addEventListener("click", () => {
    const order = progress.plays.map((_, step) => (progress.puzzle + step) % game.count);
    turnTo(order.find((puzzle) => !playOf(puzzle).over));
  });
  $("puzzles").replaceChildren(...progress.plays.map((_, puzzle) => element("button", { type: "button", click: () => turnTo(puzzle) })));
  if (game.count > 1) {
    $("name").value = progress.name;
    $("name").addEventListener("input", () => {
      progress.name = $("name").value;
      save();
      showSeries();
    });
    $("download").addEventListener("click", download);
  }
}

/** Make the switch of the tiles' colours work, and remember it; it is on at first if the system asks for more contrast. */
function prepareContrast() {
  const wanted = stored(CONTRAST) ?? String(matchMedia("(prefers-contrast: more)").matches);
  const turn = (on) => document.documentElement.classList.toggle("contrast", on);
  turn(($("contrast").checked = wanted === "true"));
  $("contrast").addEventListener("change", () => {
    turn($("contrast").checked);
    store(CONTRAST, String($("contrast").checked));
    show();
  });
  document.querySelector(".switch").hidden = false;
}

run(async () => {
  game = gameOf(await unpack($("payload").textContent));
  game.known = new Set(game.symbols);
  progress = progressOf(stored(KEY()));
  prepareKeys();
  prepareContrast();
  prepareSkipLink();
  prepare();
  if ($("legend")) $("legend").replaceChildren(...legendOf([...game.tiles].length));
  $("play").hidden = false;
  show();
  say(standing(playOf(progress.puzzle)));
}, "This browser cannot show the puzzle");
