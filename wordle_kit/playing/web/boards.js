// What a puzzle looks like: its boards, and a keyboard that shows what is known of each symbol.

const MOST_KEYS = 40; // symbols of an alphabet that gets an on-screen keyboard
const EMPTY_ROWS = 10; // guesses for which empty rows are shown
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

// ------------------------------------------------------------------------------------------------ boards

/** Return a guess with its feedback: tiles if the rule has marks, otherwise the word with the feedback beside it. */
function row(word, code) {
  const [symbols, text] = [game.symbolsOf(word), game.shown[code]];
  if (game.tiles) return tiled(game.texts[word], symbols, text);
  return plainGuess(game.texts[word], game.pictures[code], text, game.items);
}

/** Return a row for the next guess with the typed symbols; screen readers read the input field instead. */
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

/** Return the rows of keys: those of a typewriter if the alphabet has all its letters, then the other symbols. */
function keyRows() {
  const rows = ROWS.map((letters) => [...letters]).filter((letters) => letters.every((letter) => game.known.has(letter)));
  const placed = rows.length === ROWS.length ? rows : [];
  const others = game.symbols.filter((symbol) => !placed.flat().includes(symbol));
  return others.length ? [...placed, others] : placed;
}

let keys = new Map();
function prepareKeys() {
  const keep = (event) => event.preventDefault(); // the focus stays where it is when a key is clicked
  const rows = game.items || game.symbols.length > MOST_KEYS ? [] : keyRows();
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

/** Return the most telling mark of a symbol on a board, or null: correct, then present, then others, then absent. */
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

/** Add a symbol to the input field. */
function type(symbol) {
  const text = $("guess").value;
  $("guess").value = text && game.separator ? `${text}${game.separator}${symbol}` : text + symbol;
  showBoards(playOf(progress.puzzle));
}

/** Remove the last symbol of the input field. */
function remove() {
  $("guess").value = typed().slice(0, -1).join(game.separator);
  showBoards(playOf(progress.puzzle));
}

