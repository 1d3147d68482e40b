// What a puzzle looks like: its boards, and a keyboard that shows what is known of each symbol.

const MOST_KEYS = 40; // symbols of an alphabet that gets an on-screen keyboard
const EMPTY_ROWS = 13; // guesses for which empty rows are shown
const LARGEST = 84; // pixels of a tile
const SMALLEST = 17; // pixels of a tile in which a letter can be read
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

// ------------------------------------------------------------------------------------------------ boards

/** Return a symbol without a mark: a bare tile. */
const bare = (symbol) => element("span", { class: "tile bare" }, symbol);

/** Return a guess with its feedback: tiles with marks, or bare tiles with the feedback beside. */
function row(word, code) {
  const [symbols, text] = [split(word), game.texts[code]];
  if (game.tiles) return tiled(word, symbols, text);
  const picture = game.pictures[code] === text ? null : element("span", { class: "pegs", "aria-hidden": "true" }, game.pictures[code]);
  return element("span", { class: "guess", "data-word": word, "data-feedback": text },
    element("span", { class: "guess", role: "img", "aria-label": word }, ...symbols.map(bare)),
    element("span", { class: "told" }, picture, " ", element("code", {}, text)));
}

/** Return a row for the next guess with the typed symbols; screen readers read the input field instead. */
function emptyRow(symbols, typing = false) {
  const places = Math.max(game.length, symbols.length);
  const shown = Array.from({ length: places }, (_, place) => bare(symbols[place] ?? ""));
  return element("li", { class: typing ? "empty typing" : "empty", "aria-hidden": "true" }, element("span", { class: "guess" }, ...shown));
}

/** Return the guesses of a board as rows, with the one that is being typed; if room is `tight`, only those that matter. */
function rowsOf(play, { seen, solved }, tight) {
  let rows = seen.map((code, turn) => element("li", {}, row(play.guesses[turn], code)));
  if (!play.over && solved && tight) rows = rows.slice(-1);
  if (!play.over && !solved) rows.push(emptyRow(typed(), true));
  const all = tight || game.maxGuesses > EMPTY_ROWS ? 0 : game.maxGuesses;
  while (!play.over && !solved && rows.length < all) rows.push(emptyRow([]));
  return rows.length ? element("ol", {}, ...rows) : element("p", { class: "note" }, "No guess");
}

const endingOf = (play, { board, solved, turn }) =>
  solved ? `, solved with guess ${turn + 1}` : play.over ? `: ${hiddenWord(play.puzzle, board)}` : "";

function boardOf(play, one, tight) {
  if (game.boards === 1) return element("section", { class: "board", "aria-label": "Board" }, rowsOf(play, one, tight));
  const name = `Board ${one.board + 1}`;
  return element("section", { class: one.solved ? "board solved" : "board", "aria-label": name },
    element("h3", {}, name, named(endingOf(play, one))), rowsOf(play, one, tight));
}

/** Return how many boards to show beside each other, the pixels of a tile, and whether room is too tight for all rows. */
function layout(play) {
  const place = $("boards");
  const across = game.length + (game.tiles ? 0.3 : 3);
  const down = Math.max(game.maxGuesses <= EMPTY_ROWS ? game.maxGuesses : 6, Math.min(play.guesses.length + 1, EMPTY_ROWS));
  const height = play.over ? innerHeight * 0.6 : place.clientHeight - 8;
  const head = game.boards > 1 ? 22 : 0;
  const wide = (columns) => (place.clientWidth - 10 * (columns - 1)) / columns / across - 2;
  let best = { columns: 1, size: 0, tight: false };
  for (let columns = 1; columns <= game.boards; columns++) {
    const high = (height / Math.ceil(game.boards / columns) - head) / down - 2;
    const size = Math.floor(Math.min(wide(columns), high, LARGEST));
    if (size > best.size) best = { columns, size, tight: false };
  }
  if (best.size >= SMALLEST) return best;
  const beside = Math.floor((place.clientWidth + 10) / (across * (SMALLEST + 2) + 10)); // as many as fit with small tiles
  const columns = Math.ceil(game.boards / Math.ceil(game.boards / Math.max(1, beside))); // rows of about equal length
  return { columns, size: Math.max(SMALLEST, Math.floor(Math.min(wide(columns), LARGEST))), tight: true };
}

function showBoards(play) {
  const place = $("boards");
  const set = (name, value) => place.style.setProperty(`--${name}`, value);
  document.body.classList.toggle("playing", !play.over);
  $("play").style.setProperty("--head", `${$("play").getBoundingClientRect().top + scrollY}px`);
  const { columns, size, tight } = layout(play);
  set("glyph", Math.min(0.52, 0.95 / Math.max(...game.symbols.map((symbol) => symbol.length))));
  set("columns", columns);
  set("tile", `${size}px`);
  place.replaceChildren(...play.boards.map((one) => boardOf(play, one, tight)));
  if (!play.over && game.boards === 1) place.scrollTop = place.scrollHeight;
  place.tabIndex = place.scrollHeight > place.clientHeight ? 0 : -1; // arrow keys scroll
}

// ------------------------------------------------------------------------------------------------ the keyboard

/** Return the rows of keys: those of a typewriter if the alphabet has all its letters, then the others, ten in a row. */
function keyRows() {
  const rows = ROWS.map((letters) => [...letters]).filter((letters) => letters.every((letter) => game.known.has(letter)));
  const placed = rows.length === ROWS.length ? rows : [];
  const others = game.symbols.filter((symbol) => !placed.flat().includes(symbol));
  for (let at = 0; at < others.length; at += 10) placed.push(others.slice(at, at + 10));
  return placed;
}

const keys = new Map();
function prepareKeys() {
  const keep = (event) => event.preventDefault(); // the focus stays where it is when a key is clicked
  const rows = game.symbols.length > MOST_KEYS ? [] : keyRows();
  const made = rows.map((symbols) => element("div", { class: "keys" }, ...symbols.map((symbol) => {
    const key = element("button", { type: "button", class: "key", "data-symbol": symbol, mousedown: keep, click: () => type(symbol) });
    keys.set(symbol, key);
    return key;
  })));
  const remover = element("button", { type: "button", class: "key wide", id: "delete", "aria-label": "Delete", mousedown: keep, click: remove }, "⌫");
  const enter = element("button", { type: "button", class: "key wide", id: "enter", mousedown: keep, click: guess }, "Enter");
  const last = rows.length && rows.at(-1).length < 8 ? made.at(-1) : element("div", { class: "keys" });
  last.prepend(enter);
  last.append(remover);
  $("keys").replaceChildren(...made, ...(made.includes(last) ? [] : [last]));
  $("keys").hidden = !rows.length;
  if (!rows.length) return;
  for (const one of [$("guess"), document.querySelector("label[for=guess]")]) one.classList.add("unseen");
  $("submit").hidden = true;
  $("guess").inputMode = "none"; // the keys below are the keyboard of a touch screen
}

/** Return the most telling mark of a symbol on a board, or null: correct, then present, then others, then absent. */
function markOf(symbol, play, { seen }) {
  const worth = (mark) => [0, 99, 100][mark] ?? mark;
  let best = null;
  for (const [turn, code] of seen.entries()) {
    for (const [place, one] of split(play.guesses[turn]).entries()) {
      const mark = Number(game.texts[code][place]);
      if (one === symbol && (best === null || worth(mark) > worth(best))) best = mark;
    }
  }
  return best;
}

/** Show on a key what is known of its symbol: its mark on each open board or, without marks, whether it was guessed. */
function showKey(key, symbol, play) {
  const marks = play.boards.map((board) => (board.solved || !game.tiles ? null : markOf(symbol, play, board)));
  const guessed = !game.tiles && play.guesses.some((word) => split(word).includes(symbol));
  const said = marks.map((mark, board) => mark !== null && `${game.boards > 1 ? `board ${board + 1} ` : ""}${MARKS[mark]}`);
  key.setAttribute("aria-label", [symbol, guessed && "guessed", ...said].filter(Boolean).join(", "));
  key.classList.toggle("guessed", guessed);
  const different = new Set(marks.filter((_, board) => !play.boards[board].solved));
  const [common] = different.size === 1 ? different : [null];
  if (common === null) delete key.dataset.mark;
  else key.dataset.mark = common;
  const picture = game.boards > 1
    ? element("span", { class: "known", "aria-hidden": "true" }, ...marks.map((mark) => element("i", { "data-mark": mark })))
    : element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[common] ?? "");
  key.replaceChildren(symbol, ...(game.tiles ? [picture] : []));
}

/** Add a symbol to the input field, which holds no more than a word. */
function type(symbol) {
  const text = $("guess").value;
  if (typed().length >= game.length) return;
  $("guess").value = text && game.separator ? `${text}${game.separator}${symbol}` : text + symbol;
  showBoards(playOf(current));
}

/** Remove the last symbol of the input field. */
function remove() {
  $("guess").value = typed().slice(0, -1).join(game.separator);
  showBoards(playOf(current));
}
