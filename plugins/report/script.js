// The page of a leaderboard; it follows pages/base.js. Its data is unpacked from the element #payload; see
// _payload in page.py. The state of the page is in the fragment of its address, so that every view has a link.

const SHOWN = 50; // strategies in a grid or a matrix
const PAGE = 50; // puzzles on a page of the matrix
const PLAYERS = 4; // strategies side by side
const OFFERED = 50; // puzzles to suggest while the reader types
const VIEWS = ["leaderboard", "pairs", "hardest", "replays", "strategy", "again"];

const signed = (number, digits) => {
  const text = Math.abs(number).toFixed(digits);
  return (Number(text) === 0 ? "" : number < 0 ? "−" : "+") + text;
};

/** Return a difference with two decimals, or with as many more, up to four, as show that it is not 0. */
function short(difference) {
  const digits = [2, 3, 4].find((some) => Number(difference.toFixed(some)) !== 0);
  return digits === undefined ? "0" : signed(difference, digits);
}

const percent = (share) => `${(100 * share).toFixed(2)}%`;

// ------------------------------------------------------------------------------------------------ the packed data

/** Return a leaderboard: what the header has, the puzzles' words, and each strategy with its turns and replays. */
function leaderboardOf({ header, columns }) {
  const words = header.words.map((word) => (typeof word === "string" ? word : word.join(header.separator)));
  const ids = numbers(columns[0]);
  const kept = header.kept ?? Array.from({ length: header.puzzles }, (_, puzzle) => puzzle);
  const placeOf = new Map(kept.map((puzzle, place) => [puzzle, place]));
  const puzzles = Array.from({ length: header.puzzles }, (_, puzzle) =>
    Array.from(ids.subarray(puzzle * header.boards, (puzzle + 1) * header.boards), (id) => words[id]));
  const strategies = header.strategies.map((strategy, number) => {
    const own = columns.slice(1 + number * 8, 9 + number * 8);
    let [turns, ended, replays] = [null, null, null];
    return {
      ...strategy,
      number,
      get turns() { return (turns ??= numbers(own[0])); },
      get ended() { return (ended ??= numbers(own[1])); },
      replays: () => (replays ??= replaysOf(own.slice(2).map(numbers), header.boards, kept.length)),
    };
  });
  const names = puzzles.map((boards) => boards.join(", "));
  const puzzleOf = new Map(names.map((name, puzzle) => [name, puzzle]).reverse());
  const weight = header.weights?.reduce((sum, one) => sum + one, 0);
  const pValues = numbers(columns.at(-1));
  return { ...header, weight, words, symbols: header.words, puzzles, names, puzzleOf, kept, placeOf, strategies, pValues };
}

/** Return the turns of a strategy's plays: for each its parent, guess, feedback and words left, and where plays end. */
function replaysOf([depths, coded, feedback, left, endings, ended], boards, plays) {
  const count = depths.length;
  const parents = new Int32Array(count);
  const guesses = new Uint32Array(count);
  const below = new Uint32Array(count); // the first turn that does not follow this one
  const total = new Uint32Array(count); // the number of plays with this turn
  const last = new Int32Array(plays).fill(-1); // the last turn of each play
  const ender = new Int32Array(count).fill(-1); // a play that ended after each turn
  const path = [-1];
  let isTree = true; // whether the guess is always the same after the same feedback
  let before = []; // the previous guess at each depth with the same parent
  let next = endings[0];
  for (let turn = 0; turn < count; turn++) {
    const depth = depths[turn];
    path.length = depth;
    parents[turn] = path[depth - 1];
    path.push(turn);
    before.length = Math.min(before.length, depth + 1);
    if (coded[turn] && before[depth] !== undefined) isTree = false;
    guesses[turn] = before[depth] = coded[turn] ? coded[turn] - 1 : before[depth];
    total[turn] = endings[turn + 1];
    for (let play = 0; play < endings[turn + 1]; play++) {
      ender[turn] = ended[next];
      last[ended[next++]] = turn;
    }
  }
  for (let turn = count - 1; turn >= 0; turn--) {
    below[turn] = Math.max(below[turn], turn + 1);
    if (parents[turn] >= 0) {
      total[parents[turn]] += total[turn];
      below[parents[turn]] = Math.max(below[parents[turn]], below[turn]);
    }
  }
  const of = (column, turn) => column.subarray(turn * boards, (turn + 1) * boards);
  return {
    guesses,
    total,
    isTree,
    feedback: (turn) => of(feedback, turn),
    left: (turn) => of(left, turn),
    ender: (turn) => ender[turn],
    pathTo: (place) => {
      const turns = [];
      for (let turn = last[place]; turn >= 0; turn = parents[turn]) turns.unshift(turn);
      return turns;
    },
    after: (turn) => {
      const following = [];
      const end = turn < 0 ? count : below[turn];
      for (let child = turn + 1; child < end; child = below[child]) following.push(child);
      return following;
    },
  };
}

// ------------------------------------------------------------------------------------------------ the state

let board = null;
const usual = () => ({
  view: "leaderboard", sort: board?.rankedBy ?? "mean", order: "ascending", find: "", columns: null, first: null, second: null,
  word: "", page: 1, puzzle: null, s: [], strategy: null, path: [], contrast: false,
});
let state = usual();

/** Return the fragment that stands for a state: everything that differs from the default. */
function fragmentOf(wanted) {
  const parameters = new URLSearchParams();
  const normal = usual();
  for (const [key, value] of Object.entries(wanted)) {
    if (JSON.stringify(value) === JSON.stringify(normal[key]) && key !== "view") continue;
    if (Array.isArray(value)) value.forEach((one) => parameters.append(key, one));
    else if (value !== null) parameters.set(key, value === true ? "1" : value);
  }
  return `#${parameters}`;
}

/** Return the state that a fragment stands for, with defaults for everything else. */
function stateOf(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const read = usual();
  for (const key of ["view", "sort", "order", "find", "word", "first", "second", "puzzle", "strategy"]) {
    if (parameters.has(key)) read[key] = parameters.get(key);
  }
  if (!VIEWS.includes(read.view)) read.view = "leaderboard";
  if (read.order !== "descending") read.order = "ascending";
  if (!columnNames().includes(read.sort)) read.sort = usual().sort;
  if (parameters.has("columns")) read.columns = parameters.getAll("columns");
  const known = (name) => board.strategies.some((strategy) => strategy.name === name);
  read.s = parameters.getAll("s").filter(known).slice(0, PLAYERS);
  for (const key of ["first", "second", "strategy"]) if (!known(read[key])) read[key] = null;
  read.path = parameters.getAll("path");
  read.page = Math.max(1, Number.parseInt(parameters.get("page") ?? "1", 10) || 1);
  read.contrast = parameters.get("contrast") === "1";
  return read;
}

const linkTo = (changes) => fragmentOf({ ...state, ...changes });

/** Change the state and show it; `replace` leaves the way back in the browser's history as it is. */
function change(changes, replace = true) {
  state = { ...state, ...changes };
  history[replace ? "replaceState" : "pushState"](null, "", fragmentOf(state));
  show();
}

/** Return the name of a strategy as a link to its own view. */
const nameLink = ({ name }) =>
  element("a", { href: linkTo({ view: "strategy", strategy: name, path: [] }) }, named(name));

const strategyOf = (name) => board.strategies.find((strategy) => strategy.name === name) ?? null;

/** Return the strategies whose names have the text of the filter, at most as many as a grid shows. */
function found() {
  const text = state.find.toLowerCase();
  return board.strategies.filter((strategy) => strategy.name.toLowerCase().includes(text));
}

/** Return a number of strategies, by default of all. */
const players = (count = board.strategies.length) => plural(count, "strategy", "strategies");

function sayShown(place, all, shown) {
  const filter = state.find ? ` whose names have “${state.find}”` : "";
  place.textContent = all.length > shown.length
    ? `The first ${shown.length} of ${players(all.length)}${filter} are shown; filter the leaderboard by name to see others.`
    : state.find ? `${all.length} of ${players()} are shown${filter}.` : "";
}

// ------------------------------------------------------------------------------------------------ the leaderboard

const headers = () => [...$("rows").tHead.rows[0].cells];
const columnNames = () => headers().map((header) => header.dataset.column);

/** Make the headers of the leaderboard buttons that sort it, and its tools work. */
function prepareLeaderboard() {
  for (const header of headers()) {
    const name = header.dataset.column;
    header.replaceChildren(element("button", { type: "button", class: "sort", "aria-describedby": header.dataset.tip, click: () => {
      const turned = state.sort === name && state.order === "ascending";
      change({ sort: name, order: turned ? "descending" : "ascending" });
    } }, header.textContent));
  }
  for (const row of $("rows").tBodies[0].rows) {
    row.querySelector("th").replaceChildren(nameLink(board.strategies[row.dataset.strategy]));
  }
  const boxes = [...$("chooser").querySelectorAll("input")];
  usualColumns = boxes.filter((box) => box.checked).map((box) => box.value);
  $("chooser").addEventListener("change", () =>
    change({ columns: boxes.filter((box) => box.checked).map((box) => box.value) }));
  $("find").addEventListener("input", () => change({ find: $("find").value }));
}
let usualColumns = [];
let order = null; // the current order of the rows

/** Return a comparison of two rows by a column; what has no value comes last. */
function comparison(column, descending) {
  const collator = new Intl.Collator("en", { numeric: true });
  const value = (row) => row.cells[column].dataset.value;
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    const numeric = Number(a) - Number(b);
    const difference = Number.isNaN(numeric) ? collator.compare(a, b) : numeric;
    const missing = (a === "") - (b === "");
    return missing || (descending ? -difference : difference) || one.dataset.strategy - other.dataset.strategy;
  };
}

function showLeaderboard() {
  const body = $("rows").tBodies[0];
  const wanted = `${state.sort} ${state.order}`;
  if (order !== wanted) {
    const sorted = [...body.rows].sort(comparison(columnNames().indexOf(state.sort), state.order === "descending"));
    body.append(...sorted);
    for (const header of headers()) {
      if (header.dataset.column === state.sort) header.setAttribute("aria-sort", state.order);
      else header.removeAttribute("aria-sort");
    }
    order = wanted;
  }
  const shown = new Set(found().map((strategy) => String(strategy.number)));
  for (const row of body.rows) {
    row.hidden = !shown.has(row.dataset.strategy);
    row.querySelector("th a").href = linkTo({ view: "strategy", strategy: board.strategies[row.dataset.strategy].name, path: [] });
  }
  $("found").textContent = `${shown.size} of ${players()}`;
  if ($("find").value !== state.find) $("find").value = state.find;
  const columns = new Set(["rank", "strategy", ...(state.columns ?? usualColumns)]);
  for (const box of $("chooser").querySelectorAll("input")) box.checked = columns.has(box.value);
  for (const row of $("rows").rows) for (const cell of row.cells) cell.hidden = !columns.has(cell.dataset.column);
}

// ------------------------------------------------------------------------------------------------ head to head

/** Return how two strategies did on the same puzzles, as `wordle-kit compare` says it; `ranking` is what the grid shows. */
function compare(first, second) {
  const most = board.cap + 1; // the greatest difference
  const counts = new Uint32Array(2 * most + 1); // of the differences from -most to most
  const masses = new Float64Array(board.weights ? counts.length : 0);
  const n = board.puzzles.length;
  const [ours, theirs] = [first.turns, second.turns];
  for (let puzzle = 0; puzzle < n; puzzle++) counts[ours[puzzle] - theirs[puzzle] + most]++;
  if (board.weights) {
    for (let puzzle = 0; puzzle < n; puzzle++) masses[ours[puzzle] - theirs[puzzle] + most] += board.weights[puzzle];
  }
  const { wins, ties, losses, sum, squares } = totals(counts, most);
  const mean = sum / n;
  const deviation = Math.sqrt(Math.max(0, squares - n * mean * mean) / (n - 1));
  const half = board.halfWidth * Math.max(deviation, board.leastDeviation);
  const differences = [...counts.keys()].filter((at) => counts[at]).map((at) => [at - most, counts[at]]);
  const interval = board.halfWidth !== null && first.works && second.works ? [mean - half, mean + half] : null;
  const weighted = board.weights ? totals(masses.map((mass) => mass / board.weight), most) : null;
  const ranking = board.rankedBy === "weighted_mean" ? weighted.sum : mean;
  return { wins, losses, ties, mean, interval, differences, ranking, weighted };
}

/** Return the sums of the counts of the differences below, at and above 0, and those of the differences and their squares. */
function totals(counts, most) {
  let [wins, losses, sum, squares] = [0, 0, 0, 0];
  for (let at = 0; at < counts.length; at++) {
    const difference = at - most;
    if (difference < 0) wins += counts[at];
    if (difference > 0) losses += counts[at];
    sum += difference * counts[at];
    squares += difference * difference * counts[at];
  }
  return { wins, ties: counts[most], losses, sum, squares };
}

/** Return the p-value of a difference as text, adjusted for all pairs, and whether it is significant; null without one. */
function chanceOf(first, second) {
  const [low, high] = [Math.min(first.number, second.number), Math.max(first.number, second.number)];
  const packed = board.pValues[low * board.strategies.length - (low * (low + 1)) / 2 + high - low - 1];
  if (!packed) return null;
  const parts = (packed - 1) >> 1;
  return { text: parts ? (parts / 10000).toFixed(4) : "<0.0001", isSignificant: packed % 2 === 0 };
}

/** Return a difference as the content of a cell, with a star if it is significant. */
const marked = (difference, chance) =>
  [short(difference), chance?.isSignificant ? element("span", { class: "star" }, "*") : null];

/** Return the attributes of a cell with a difference: its shade, unless it may be the luck of the draw. */
const shaded = (difference, chance) =>
  chance?.isSignificant === false ? { class: "chance" } : { "data-shade": shade(difference) };

const saidOf = (chance) => (chance === null ? "" : chance.isSignificant ? ", significant" : ", not significant");

/** Return how dark a difference is shown, from -5 to 5: where the steps are is the same on every page. */
function shade(difference) {
  const size = [0.005, 0.02, 0.05, 0.15, 0.5].filter((step) => Math.abs(difference) >= step).length;
  return difference < 0 ? -size : size;
}

/** Return a row of headers with the names of strategies, written from below. */
const slanted = (strategies) =>
  strategies.map((strategy) => element("th", { scope: "col", class: "upright" }, element("span", {}, named(strategy.name))));

let gridOf = null;
function showPairs() {
  const all = found();
  const shown = all.slice(0, SHOWN);
  sayShown($("pairs-shown"), all, shown);
  const key = shown.map((strategy) => strategy.number).join();
  if (gridOf !== key) {
    gridOf = key;
    const rows = shown.map((first) => element("tr", {}, element("th", { scope: "row" }, nameLink(first)),
      ...shown.map((second) => {
        if (first === second) return element("td", { class: "same" }, "–");
        const { ranking, wins, ties, losses } = compare(first, second);
        const chance = chanceOf(first, second);
        const said = `${short(ranking)}: ${first.name} against ${second.name}, ${wins} won, ${ties} tied, ${losses} lost${saidOf(chance)}`;
        return element("td", shaded(ranking, chance), element("a", {
          tabindex: "-1", "aria-label": said, "data-first": first.name, "data-second": second.name,
        }, ...marked(ranking, chance)));
      })));
    $("grid").replaceChildren(
      element("thead", {}, element("tr", {}, element("td", {}), ...slanted(shown))), element("tbody", {}, ...rows));
  }
  const rest = linkTo({ first: null, second: null });
  for (const link of $("grid").querySelectorAll("td a")) {
    link.href = `${rest}&${new URLSearchParams({ first: link.dataset.first, second: link.dataset.second })}`;
    const chosen = link.dataset.first === state.first && link.dataset.second === state.second;
    if (chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.tabIndex = chosen ? 0 : -1;
  }
  const start = $("grid").querySelector("td a[tabindex='0']") ?? $("grid").querySelector("td a");
  if (start) start.tabIndex = 0;
  $("first").value = state.first ?? "";
  $("second").value = state.second ?? "";
  const pair = `${state.first} ${state.second}`;
  if (pairShown === pair) return;
  pairShown = pair;
  $("pair").replaceChildren(...pairOf(strategyOf(state.first), strategyOf(state.second)));
  const heading = $("pair").querySelector("h3");
  if (heading && document.activeElement.tagName !== "SELECT") heading.focus();
}
let pairShown = "null null";

/** Return what is shown of two strategies: figures, and the puzzles on which they differ most. */
function pairOf(first, second) {
  if (!first || !second || first === second) return [];
  const { wins, ties, losses, mean, interval, differences, weighted } = compare(first, second);
  const chance = chanceOf(first, second);
  const size = (puzzle) => Math.abs(first.turns[puzzle] - second.turns[puzzle]);
  const apart = board.names.map((_, puzzle) => puzzle).filter(size);
  apart.sort((one, other) => size(other) - size(one) || one - other);
  const figures = [
    ["Mean difference", `${signed(mean, 4)} guesses`],
    ...(interval ? [[`${board.confidence} confidence interval`, `${signed(interval[0], 4)} to ${signed(interval[1], 4)}`]] : []),
    ...(chance ? [["P-value, corrected", `${chance.text}, ${chance.isSignificant ? "significant" : "not significant"} at ${board.level}`]] : []),
    ...(weighted ? [
      ["Weighted mean difference", `${signed(weighted.sum, 4)} guesses`],
      ["By weight", `${percent(weighted.wins)} won, ${percent(weighted.ties)} tied, ${percent(weighted.losses)} lost`],
    ] : []),
    ["Puzzles", `${grouped(wins)} won, ${grouped(ties)} tied, ${grouped(losses)} lost`],
    ["Differences", differences.map(([difference, count]) => `${signed(difference, 0)}: ${grouped(count)}`).join(", ")],
  ];
  const rows = apart.slice(0, board.ofAPair).map((puzzle) => element("tr", {},
    element("th", { scope: "row" }, puzzleLink(puzzle, [first.name, second.name])),
    element("td", { class: "number" }, taken(first, puzzle)),
    element("td", { class: "number" }, taken(second, puzzle)),
    element("td", { class: "number" }, signed(first.turns[puzzle] - second.turns[puzzle], 0))));
  return [element("div", { class: "card" },
    element("h3", { tabindex: "-1" }, nameLink(first), " against ", nameLink(second)),
    element("dl", {}, ...figures.flatMap(([term, text]) => [element("dt", {}, term), element("dd", {}, text)])),
    rows.length ? element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Where they differ most, scrollable" },
      element("table", { id: "apart" },
        element("caption", {}, `The ${plural(rows.length, "puzzle")} on which they differ most`),
        element("thead", {}, element("tr", {}, ...["Puzzle", first.name, second.name, "Difference"].map((text) =>
          element("th", { scope: "col" }, named(text))))),
        element("tbody", {}, ...rows))) : element("p", {}, "They took the same number of guesses on every puzzle."))];
}

/** Return the name of a puzzle, as a link to its replay if there is one. */
const puzzleLink = (puzzle, strategies) => board.placeOf.has(puzzle)
  ? element("a", { href: linkTo({ view: "replays", puzzle: board.names[puzzle], s: strategies }) }, named(board.names[puzzle]))
  : named(board.names[puzzle]);

/** Return the guesses of a play with a sign where it failed. */
function taken(strategy, puzzle) {
  const turns = strategy.turns[puzzle];
  return turns > board.cap ? "✗" : turns > board.maxGuesses ? `${turns}!` : String(turns);
}

/** Make the arrow keys move through the links of the grid. */
function prepareGrid() {
  $("grid").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const cell = event.target.closest("td");
    if (!step || !cell) return;
    event.preventDefault();
    const rows = [...$("grid").tBodies[0].rows];
    let [row, column] = [rows.indexOf(cell.parentElement), cell.cellIndex];
    for (let link = null; !link;) {
      row += step[0];
      column += step[1];
      const next = rows[row]?.cells[column];
      if (!next || column < 1) return;
      link = next.querySelector("a");
      if (link) {
        event.target.tabIndex = -1;
        link.tabIndex = 0;
        link.focus();
      }
    }
  });
  for (const [id, key] of [["first", "first"], ["second", "second"]]) {
    $(id).append(element("option", { value: "" }, "choose"), ...options());
    $(id).addEventListener("change", () => change({ [key]: $(id).value || null }));
  }
}

const options = () => board.strategies.map((strategy) => element("option", { value: strategy.name }, strategy.name));

// ------------------------------------------------------------------------------------------------ hardest puzzles

let hardestFirst = null;
let sums = null;
function rankPuzzles() {
  if (hardestFirst) return;
  sums = new Float64Array(board.puzzles.length);
  for (const { turns } of board.strategies) for (let puzzle = 0; puzzle < sums.length; puzzle++) sums[puzzle] += turns[puzzle];
  hardestFirst = [...board.names.keys()].sort((one, other) => sums[other] - sums[one] || one - other);
}

function showHardest() {
  rankPuzzles();
  const all = found();
  const shown = all.slice(0, SHOWN);
  sayShown($("hardest-shown"), all, shown);
  const text = state.word.toLowerCase();
  const puzzles = hardestFirst.filter((puzzle) => board.names[puzzle].toLowerCase().includes(text));
  const pages = Math.max(1, Math.ceil(puzzles.length / PAGE));
  const page = Math.min(state.page, pages);
  const from = (page - 1) * PAGE;
  if ($("word").value !== state.word) $("word").value = state.word;
  $("page").textContent = `Page ${page} of ${pages}, ${plural(puzzles.length, "puzzle")}`;
  $("previous").disabled = page === 1;
  $("next").disabled = page === pages;
  const rows = puzzles.slice(from, from + PAGE).map((puzzle) => element("tr", {},
    element("th", { scope: "row" }, puzzleLink(puzzle, state.s)),
    element("td", { class: "number" }, (sums[puzzle] / board.strategies.length).toFixed(2)),
    ...shown.map((strategy) => {
      const turns = strategy.turns[puzzle];
      const guesses = turns > board.cap ? "never" : turns > board.maxGuesses ? "late" : Math.max(1, Math.ceil((6 * turns) / board.maxGuesses));
      return element("td", { "data-guesses": guesses }, taken(strategy, puzzle));
    })));
  $("matrix").replaceChildren(
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Puzzle"), element("th", { scope: "col" }, "Mean"), ...slanted(shown))),
    element("tbody", {}, ...rows));
}

function prepareHardest() {
  $("word").addEventListener("input", () => change({ word: $("word").value, page: 1 }));
  $("previous").addEventListener("click", () => change({ page: Math.max(1, state.page - 1) }));
  $("next").addEventListener("click", () => change({ page: state.page + 1 }));
}

// ------------------------------------------------------------------------------------------------ replays

/** Return a guess with its feedback: as tiles if the rule has any, otherwise as a word and a code. */
function guessed(word, code) {
  const [shown, text] = [board.words[word], board.feedback[code]];
  if (!board.tiles) return plainGuess(shown, board.pictures[code], text);
  const symbols = Array.isArray(board.symbols[word]) ? board.symbols[word] : Array.from(shown);
  return tiled(shown, symbols, text);
}

/** Return the puzzle that a text names: its words, in the way they are shown or with other spaces, if there is one. */
function puzzleNamed(text) {
  const plain = text.trim();
  if (board.puzzleOf.has(plain)) return board.puzzleOf.get(plain);
  const spaced = plain.toLowerCase().replace(/[\s,]+/g, ", ");
  return board.puzzleOf.get(spaced) ?? null;
}

/** Return the puzzle and the strategies to show: those chosen, else the hardest and the best and the worst on it. */
function replayed() {
  rankPuzzles();
  const hardest = hardestFirst.find((puzzle) => board.placeOf.has(puzzle));
  const puzzle = state.puzzle === null ? hardest : puzzleNamed(state.puzzle);
  const usually = [...new Set([board.strategies[0], board.strategies.at(-1)])];
  return { puzzle, players: state.s.length ? state.s.map(strategyOf) : usually };
}

function showReplays() {
  const { puzzle, players } = replayed();
  if (document.activeElement !== $("puzzle")) $("puzzle").value = state.puzzle ?? board.names[puzzle] ?? "";
  players.concat(Array(PLAYERS).fill(null)).slice(0, PLAYERS).forEach((player, place) => {
    $(`player-${place}`).value = player?.name ?? "";
  });
  const kept = board.placeOf.get(puzzle);
  $("no-puzzle").textContent = puzzle === null ? `“${state.puzzle}” is not one of the puzzles.`
    : kept === undefined ? "There is no replay of this puzzle." : "";
  $("boards").replaceChildren(...(kept === undefined ? [] : players.map((player) => playOf(player, puzzle, kept))));
}

/** Return a play: the boards of a strategy, and how it ended. */
function playOf(strategy, puzzle, place) {
  const replays = strategy.replays();
  const turns = replays.pathTo(place);
  const [outcome, message] = strategy.endings[strategy.ended[puzzle]];
  const tables = board.puzzles[puzzle].map((answer, number) => {
    const rows = [];
    for (const [index, turn] of turns.entries()) {
      const text = board.feedback[replays.feedback(turn)[number]];
      if (text === "") break; // solved before
      const left = board.left ? replays.left(turn)[number] : null;
      const after = left === null ? "" : left ? `${grouped(left)} left` : "solved";
      rows.push(element("tr", {}, element("th", { scope: "row" }, String(index + 1)),
        element("td", {}, guessed(replays.guesses[turn], replays.feedback(turn)[number])), element("td", { class: "left" }, after)));
    }
    const caption = board.boards > 1 ? [`Board ${number + 1}: `, named(answer)] : ["Hidden word: ", named(answer)];
    return element("table", { class: "board" }, element("caption", {}, ...caption), element("tbody", {}, ...rows));
  });
  const late = outcome === "out of guesses" && strategy.turns[puzzle] <= board.cap;
  const solved = outcome === "solved" ? `Solved with guess ${turns.length}`
    : late ? `Solved with guess ${turns.length}, after the ${board.maxGuesses} allowed` : `Not solved: ${outcome}`;
  return element("section", { class: "card play", "aria-label": strategy.name },
    element("h3", {}, nameLink(strategy)),
    element("p", { class: outcome === "solved" ? "ending" : "ending failed" }, solved, message ? element("span", {}, ": ", named(message)) : null),
    element("div", { class: "boards" }, ...tables));
}

function prepareReplays() {
  for (let place = 0; place < PLAYERS; place++) {
    const select = element("select", { id: `player-${place}` }, element("option", { value: "" }, "none"), ...options());
    select.addEventListener("change", () => {
      const players = replayed().players.map((player) => player.name);
      players.length = Math.max(players.length, place + 1);
      players[place] = select.value;
      change({ s: [...new Set(players.filter(Boolean))] });
    });
    $("players").append(element("label", {}, `Strategy ${place + 1} `, select));
  }
  $("puzzle").addEventListener("input", () => {
    const text = $("puzzle").value.trim().toLowerCase();
    const near = board.kept.filter((puzzle) => board.names[puzzle].toLowerCase().includes(text)).slice(0, OFFERED);
    $("puzzles").replaceChildren(...near.map((puzzle) => element("option", { value: board.names[puzzle] })));
    const puzzle = puzzleNamed($("puzzle").value);
    if (puzzle !== null) change({ puzzle: board.names[puzzle] });
  });
  $("puzzle").addEventListener("change", () => {
    const typed = $("puzzle").value.trim();
    change({ puzzle: board.names[puzzleNamed(typed)] ?? (typed || null) });
  });
  for (const [id, step] of [["back", -1], ["forth", 1]]) {
    $(id).addEventListener("click", () => {
      const count = board.kept.length;
      const place = board.placeOf.get(replayed().puzzle) ?? (step > 0 ? -1 : 0);
      change({ puzzle: board.names[board.kept[(place + step + count) % count]] });
    });
  }
  $("legend").replaceChildren(...(board.legend ? [element("li", {}, named(board.legend))] : legendOf([...board.tiles].length)));
}

// ------------------------------------------------------------------------------------------------ decision trees

/** Return the items of a list: what a strategy has seen after its guess, the most puzzles first, and what follows. */
function branches(strategy, turn, path) {
  const replays = strategy.replays();
  const following = replays.after(turn).sort((one, other) => replays.total[other] - replays.total[one] || one - other);
  return following.map((child) => {
    const text = board.feedback[replays.feedback(child)[0]];
    const later = replays.after(child);
    const left = board.left ? replays.left(child)[0] : null;
    const count = `${plural(replays.total[child], "puzzle")}${left && left !== replays.total[child] ? `, ${plural(left, "word")} left` : ""}`;
    const seen = guessed(replays.guesses[child], replays.feedback(child)[0]);
    if (!later.length) {
      const puzzle = board.kept[replays.ender(child)];
      const [outcome, message] = strategy.endings[strategy.ended[puzzle]];
      const ending = strategy.turns[puzzle] <= board.cap ? "solved" : `${count}, ${outcome}: ${message}`;
      return element("li", { class: "leaf" }, seen, " ", element("span", { class: "count" }, named(ending)));
    }
    const here = [...path, text];
    const inside = element("ul", {});
    const opened = element("details", { "data-path": here.join(" ") },
      element("summary", {}, seen, " ", element("span", { class: "count" }, count), " ",
        element("span", { class: "then" }, "then ", element("strong", {}, named(board.words[replays.guesses[later[0]]])))), inside);
    opened.addEventListener("toggle", () => {
      if (opened.open) fill(strategy, child, here, inside);
      const shown = opened.open ? here : path;
      if (opened.isConnected && shown.join() !== state.path.join()) {
        state = { ...state, path: shown };
        history.replaceState(null, "", fragmentOf(state));
      }
    });
    return element("li", {}, opened);
  });
}

function fill(strategy, turn, path, list) {
  if (!list.hasChildNodes()) list.append(...branches(strategy, turn, path));
}

let treeOf = null;
function showTree(chosen) {
  const replays = board.boards === 1 && !chosen.stochastic ? chosen.replays() : null;
  const why = board.boards > 1 ? "With several boards, hardly any position occurs twice, so there is no tree to show."
    : chosen.stochastic ? "The strategy is random, so it has no tree."
    : !replays.isTree ? "The guesses after the same feedback differ, so there is no tree to show." : "";
  $("tree-about").hidden = why !== "";
  if (treeOf !== chosen) {
    treeOf = chosen;
    const opener = replays?.after(-1)[0];
    $("branches").replaceChildren(...(why ? [element("p", {}, why)] : opener === undefined ? [element("p", {}, "It made no guess.")]
      : [element("p", { class: "then" }, "First guess: ", element("strong", {}, named(board.words[replays.guesses[opener]]))),
        element("ul", { class: "tree" }, ...branches(chosen, -1, []))]));
  }
  let list = $("branches").querySelector("ul");
  let turn = -1;
  for (const [step, text] of list === null ? [] : state.path.entries()) {
    const opened = [...list.children].map((item) => item.firstElementChild)
      .find((inner) => inner.dataset.path === state.path.slice(0, step + 1).join(" "));
    if (!opened) break;
    turn = replays.after(turn).find((child) => board.feedback[replays.feedback(child)[0]] === text);
    list = opened.querySelector("ul");
    fill(chosen, turn, state.path.slice(0, step + 1), list);
    opened.open = true;
  }
}

// ------------------------------------------------------------------------------------------------ one strategy

const header = (...texts) => element("thead", {}, element("tr", {},
  ...texts.map((text) => (text ? element("th", { scope: "col" }, text) : element("td")))));

/** Return what is known of a strategy: its sentence, its parameters, and its figures as the leaderboard shows them. */
function aboutOf(strategy) {
  const row = $("rows").tBodies[0].querySelector(`[data-strategy="${strategy.number}"]`);
  const figures = headers().map((one, place) => [one, row.cells[place].textContent.trim()])
    .filter(([one, text]) => text !== "" && !["strategy", "distribution"].includes(one.dataset.column));
  const parameters = strategy.parameters.length ? strategy.parameters.map((text) => element("code", {}, named(text))) : ["none"];
  const entry = (name, tip, wide, ...value) => element("div", { class: wide ? "wide" : null },
    element("dt", { "data-tip": tip }, name), element("dd", {}, ...value));
  return [
    element("h3", { tabindex: "-1" }, named(strategy.name)),
    strategy.summary ? element("p", {}, named(strategy.summary)) : null,
    element("dl", {},
      entry("parameters", null, true, ...parameters.flatMap((one, place) => (place ? [", ", one] : [one]))),
      ...figures.map(([one, text]) => entry(one.textContent, one.dataset.tip, text.length > 24, named(text)))),
  ];
}

/** Return the number of puzzles that took each number of guesses, as the head and the body of a table with bars. */
function spreadOf(strategy) {
  const counts = new Map();
  for (const turns of strategy.turns) counts.set(turns, (counts.get(turns) ?? 0) + 1);
  const solved = [...counts.keys()].filter((turns) => turns <= board.cap);
  const [least, most] = [Math.min(...solved), Math.max(...solved)];
  const every = solved.length ? Array.from({ length: most - least + 1 }, (_, place) => least + place) : [];
  if (counts.has(board.cap + 1)) every.push(board.cap + 1);
  const top = Math.max(...counts.values());
  const rows = every.map((turns) => {
    const count = counts.get(turns) ?? 0;
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    rect.setAttribute("width", `${(100 * count) / top}%`);
    rect.setAttribute("height", "100%");
    if (turns > board.maxGuesses) rect.setAttribute("class", "late");
    bar.setAttribute("aria-hidden", "true");
    bar.append(rect);
    return element("tr", {},
      element("th", { scope: "row" }, turns > board.cap ? "unsolved" : turns > board.maxGuesses ? `${turns}!` : String(turns)),
      element("td", { class: "number" }, grouped(count)),
      element("td", { class: "number" }, percent(count / board.puzzles.length)),
      element("td", { class: "bars" }, bar));
  });
  return [header("Guesses", "Puzzles", "Share", ""), element("tbody", {}, ...rows)];
}

/** Return the puzzles on which a strategy took longest, as the head and the body of a table. */
function longestOf(strategy) {
  rankPuzzles();
  const { turns } = strategy;
  const longest = [...hardestFirst].sort((one, other) => turns[other] - turns[one]).slice(0, board.ofAPair);
  const rows = longest.map((puzzle) => element("tr", {},
    element("th", { scope: "row" }, puzzleLink(puzzle, [strategy.name])),
    element("td", { class: "number" }, taken(strategy, puzzle)),
    element("td", { class: "number" }, (sums[puzzle] / board.strategies.length).toFixed(2))));
  return [header("Puzzle", "Guesses", "Mean of all"), element("tbody", {}, ...rows)];
}

/** Return a strategy against each of the others, as the head and the body of a table. */
function againstOf(strategy, others) {
  const rows = others.map((other) => {
    const { ranking, wins, ties, losses } = compare(strategy, other);
    const chance = chanceOf(strategy, other);
    return element("tr", {},
      element("th", { scope: "row" }, nameLink(other)),
      element("td", { ...shaded(ranking, chance), class: "number" }, element("a", {
        href: linkTo({ view: "pairs", first: strategy.name, second: other.name }),
        "aria-label": `${short(ranking)} against ${other.name}${saidOf(chance)}`,
      }, ...marked(ranking, chance))),
      ...[wins, ties, losses].map((count) => element("td", { class: "number" }, grouped(count))));
  });
  return [header("Against", "Difference", "Won", "Tied", "Lost"), element("tbody", {}, ...rows)];
}

let strategyShown = null;
function showStrategy() {
  const strategy = strategyOf(state.strategy) ?? board.strategies[0];
  $("one").value = strategy.name;
  const all = found().filter((other) => other !== strategy);
  const others = all.slice(0, SHOWN);
  sayShown($("against-shown"), all, others);
  const key = [strategy, ...others].map((one) => one.number).join();
  if (strategyShown !== key) {
    strategyShown = key;
    $("about").replaceChildren(...aboutOf(strategy).filter((one) => one !== null));
    $("spread").replaceChildren(...spreadOf(strategy));
    $("longest").replaceChildren(...longestOf(strategy));
    $("against").replaceChildren(...againstOf(strategy, others));
    if (state.strategy !== null && document.activeElement.tagName !== "SELECT") $("about").querySelector("h3").focus();
  }
  showTree(strategy);
}

function prepareStrategy() {
  $("one").append(...options());
  $("one").addEventListener("change", () => change({ strategy: $("one").value, path: [] }, false));
}

// ------------------------------------------------------------------------------------------------ explanations

/** Show what a column means while the mouse is on its header or the focus in it, or once it is touched; Escape hides it. */
function prepareTips() {
  let [tip, place] = [null, null];
  const put = () => {
    if (!tip) return;
    const [around, size] = [place.getBoundingClientRect(), tip.getBoundingClientRect()];
    const below = around.bottom + size.height <= window.innerHeight || around.top < size.height;
    tip.style.left = `${Math.max(8, Math.min(around.left, document.documentElement.clientWidth - size.width - 8))}px`;
    tip.style.top = `${below ? around.bottom : around.top - size.height}px`;
  };
  const explain = (wanted) => {
    if (wanted === place) return;
    if (tip) tip.hidden = true;
    place = wanted;
    tip = place && $(place.dataset.tip);
    if (tip) tip.hidden = false;
    put();
  };
  const focused = () => document.activeElement.matches(":focus-visible") ? document.activeElement.closest("[data-tip]") : null;
  document.addEventListener("pointerover", (event) => {
    if (!tip?.contains(event.target)) explain(event.target.closest("[data-tip]") ?? focused());
  });
  document.documentElement.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") explain(focused()); // a finger that is lifted leaves, too
  });
  document.addEventListener("focusin", () => explain(focused() ?? place));
  document.addEventListener("focusout", (event) => {
    if (place?.contains(event.target)) explain(null);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && tip) tip.hidden = true;
  });
  window.addEventListener("scroll", put, { capture: true, passive: true });
  window.addEventListener("resize", put);
}

// ------------------------------------------------------------------------------------------------ the page

const SHOW = {
  leaderboard: showLeaderboard, pairs: showPairs, hardest: showHardest, replays: showReplays, strategy: showStrategy, again() {},
};

function show() {
  document.documentElement.classList.toggle("contrast", state.contrast);
  $("contrast").checked = state.contrast;
  for (const view of VIEWS) $(view).hidden = view !== state.view;
  for (const link of document.querySelectorAll("nav a")) {
    const view = new URLSearchParams(link.hash.slice(1)).get("view");
    link.href = linkTo({ view });
    if (view === state.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  SHOW[state.view]();
  markFitting();
}

/** Mark the tables that are no wider than the page: there the page scrolls, and the head of the table stays in view. */
function markFitting() {
  const places = [...document.querySelectorAll(".scroll")];
  for (const place of places) place.classList.remove("fits");
  const fitting = places.filter((place) => place.scrollWidth <= place.clientWidth); // all are measured in one layout
  for (const place of fitting) place.classList.add("fits");
}

async function start() {
  board = leaderboardOf(await unpack($("payload").textContent));
  nameMarks(board.marks);
  prepareLeaderboard();
  prepareGrid();
  prepareHardest();
  prepareReplays();
  prepareStrategy();
  prepareTips();
  $("contrast").addEventListener("change", () => change({ contrast: $("contrast").checked }));
  prepareSkipLink();
  const go = () => {
    const before = state.view;
    state = stateOf(location.hash);
    show();
    if (before !== state.view) window.scrollTo(0, 0);
  };
  window.addEventListener("hashchange", go);
  window.addEventListener("resize", markFitting);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a:not(.skip)");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, "", link.hash);
    go();
  });
  for (const tools of document.querySelectorAll("[hidden]:is(.tools, nav, .switch)")) tools.hidden = false;
  $("contrast").closest("label").hidden = !board.tiles;
  state = stateOf(location.hash);
  show();
}

run(start, "This browser cannot show more than the leaderboard");
