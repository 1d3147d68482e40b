// The page of a leaderboard; it follows base.js. Its data is what _data_of in page.py returns.

const HARDEST = 50; // puzzles in the table of the hardest
const PLAYERS = 4; // strategies side by side

let board = null;

/** Prepare the data: the words and the names of puzzles as text, and the puzzles from the hardest to the easiest. */
function prepare(data) {
  const words = data.words.map((symbols) => symbols.join(data.separator));
  const names = data.puzzles.map((boards) => boards.map((word) => words[word]).join(", "));
  const sums = names.map((_, puzzle) => data.strategies.reduce((sum, { taken }) => sum + taken[puzzle], 0));
  const hardest = [...names.keys()].sort((one, other) => sums[other] - sums[one] || one - other);
  const placeOf = new Map(data.kept.map((puzzle, place) => [puzzle, place]));
  data.strategies.forEach((strategy, number) => {
    const { feedback, left } = strategy;
    strategy.number = number;
    strategy.plays = strategy.guesses.map((guesses, place) => ({ guesses, feedback: feedback[place], left: left[place] }));
  });
  return { ...data, symbols: data.words, words, names, sums, hardest, placeOf };
}

/** Return the name of a strategy as a link to its view. */
const nameLink = ({ name, number }) => element("a", { href: "#strategy", "data-strategy": number }, named(name));

const header = (...texts) => element("thead", {}, element("tr", {},
  ...texts.map((text) => (text === "" ? element("td") : element("th", { scope: "col" }, text)))));

/** Return headers with the names of all strategies, written from below. */
const uprights = () => board.strategies.map(({ name }) => element("span", { class: "upright" }, named(name)));

const options = () => board.strategies.map(({ name, number }) => element("option", { value: number }, name));

// ------------------------------------------------------------------------------------------------ the leaderboard

/** Return a comparison of cells: numbers by value, other texts by alphabet, and what is empty last. */
function comparison(column, descending) {
  const collator = new Intl.Collator("en");
  const text = (row) => row.cells[column].textContent.trim();
  const number = (text) => (/^[+-]?[\d.]+(=|%| ±.*)?$/.test(text) ? Number.parseFloat(text) : Number.NaN);
  return (one, other) => {
    const [a, b] = [text(one), text(other)];
    const numeric = number(a) - number(b);
    const difference = Number.isNaN(numeric) ? collator.compare(a, b) : numeric;
    return (a === "") - (b === "") || (descending ? -difference : difference);
  };
}

/** Make the headers of the leaderboard buttons that sort it. */
function prepareLeaderboard() {
  const body = $("rows").tBodies[0];
  const ranked = [...body.rows];
  for (const head of $("rows").querySelectorAll("thead th")) {
    head.replaceChildren(element("button", { type: "button", class: "sort", click: () => {
      const order = head.ariaSort === "ascending" ? "descending" : "ascending";
      for (const other of $("rows").querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      body.append(...[...ranked].sort(comparison(head.cellIndex, order === "descending")));
    } }, head.textContent));
  }
}

// ------------------------------------------------------------------------------------------------ head to head

/** Return the mean difference of two strategies on the same puzzles, as `wordle-kit compare` computes it. */
function meanDifference(first, second) {
  let [sum, weight] = [0, 0];
  for (const [puzzle, ours] of first.taken.entries()) {
    const counts = board.weights ? board.weights[puzzle] : 1;
    sum += counts * (ours - second.taken[puzzle]);
    weight += counts;
  }
  return sum / weight;
}

/** Return a difference with its sign and two decimals, or as many more, up to four, as show that it is not 0. */
function signed(difference) {
  const digits = [2, 3, 4].find((some) => Number(difference.toFixed(some)) !== 0);
  return digits ? (difference < 0 ? "−" : "+") + Math.abs(difference).toFixed(digits) : "0";
}

/** Return a cell whose shade says how good a value is, from -1, the best, to 1, the worst. */
function shaded(text, badness) {
  const cell = element("td", {}, text);
  const colour = badness < 0 ? "--better" : "--worse";
  cell.style.background = `color-mix(in srgb, var(${colour}) ${100 * Math.min(1, Math.abs(badness))}%, var(--card))`;
  return cell;
}

/** Return a cell with a difference: a star if it is significant, and a shade unless it may be the luck of the draw. */
function differenceCell(first, second) {
  const difference = meanDifference(first, second);
  const significant = board.significant[first.number][second.number];
  const badness = significant === false ? 0 : Math.sign(difference) * Math.sqrt(2 * Math.abs(difference));
  return shaded(signed(difference) + (significant ? "*" : ""), badness);
}

function showPairs() {
  const cell = (first, second) => (first === second ? element("td", {}, "–") : differenceCell(first, second));
  $("grid").replaceChildren(header("", ...uprights()), element("tbody", {}, ...board.strategies.map((first) =>
    element("tr", {}, element("th", { scope: "row" }, nameLink(first)), ...board.strategies.map((second) => cell(first, second))))));
}

// ------------------------------------------------------------------------------------------------ hardest puzzles

/** Return a cell with the guesses of a play, with a sign where it failed. */
function takenCell(taken) {
  if (taken > board.cap) return shaded("✗", 1);
  if (taken > board.maxGuesses) return shaded(`${taken}!`, 1);
  return shaded(String(taken), (1.2 * taken) / board.maxGuesses - 0.6);
}

function showHardest() {
  const name = (puzzle) => board.placeOf.has(puzzle)
    ? element("a", { href: "#replays", "data-puzzle": puzzle }, named(board.names[puzzle])) : named(board.names[puzzle]);
  const rows = board.hardest.slice(0, HARDEST).map((puzzle) => element("tr", {},
    element("th", { scope: "row" }, name(puzzle)),
    element("td", {}, (board.sums[puzzle] / board.strategies.length).toFixed(2)),
    ...board.strategies.map(({ taken }) => takenCell(taken[puzzle]))));
  $("matrix").replaceChildren(header("Puzzle", "Mean", ...uprights()), element("tbody", {}, ...rows));
}

// ------------------------------------------------------------------------------------------------ replays

let shownPlace = 0; // the place of the puzzle among those that are kept; its name may be that of several

/** Return a guess with its feedback: as tiles if the rule has marks, otherwise as a word, a picture and a code. */
function guessed({ guesses, feedback }, turn, number = 0) {
  const [guess, code] = [guesses[turn], feedback[turn][number]];
  const [word, text, picture] = [board.words[guess], board.texts[code], board.pictures[code]];
  if (board.marks.length) return tiled(word, board.symbols[guess], text);
  return element("span", { class: "guess", "data-word": word, "data-feedback": text },
    element("span", { class: "plain" }, named(word)),
    picture === text ? null : element("span", { class: "pegs", "aria-hidden": "true" }, picture),
    element("code", {}, text));
}

/** Show the puzzle at a place, played by the strategies that are chosen. */
function showReplay(place) {
  shownPlace = place;
  const players = [...$("players").querySelectorAll("select")].map((select) => board.strategies[select.value]);
  $("puzzle").value = board.names[board.kept[place]];
  $("no-puzzle").textContent = "";
  $("boards").replaceChildren(...players.filter(Boolean).map((strategy) => playOf(strategy, place)));
}

/** Return a play: the boards of a strategy, and how it ended. */
function playOf(strategy, place) {
  const play = strategy.plays[place];
  const failure = strategy.failures[place];
  const taken = strategy.taken[board.kept[place]];
  const ending = !failure ? `Solved with guess ${taken}`
    : taken <= board.cap ? `Solved with guess ${taken}, after the ${board.maxGuesses} allowed` : `Not solved: ${failure}`;
  const tables = board.puzzles[board.kept[place]].map((answer, number) => {
    const turns = [...play.guesses.keys()].filter((turn) => board.texts[play.feedback[turn][number]] !== ""); // empty once solved
    const rows = turns.map((turn) => element("tr", {},
      element("th", { scope: "row" }, String(turn + 1)), element("td", {}, guessed(play, turn, number)),
      element("td", { class: "left" }, remaining(play.left[turn][number]))));
    const caption = board.boards > 1 ? `Board ${number + 1}: ` : "Hidden word: ";
    return element("table", { class: "board" }, element("caption", {}, caption, named(board.words[answer])), element("tbody", {}, ...rows));
  });
  return element("section", { class: "card play", "aria-label": strategy.name },
    element("h3", {}, nameLink(strategy)),
    element("p", { class: failure ? "ending failed" : "ending" }, named(ending)),
    element("div", { class: "boards" }, ...tables));
}

const remaining = (left) => (left ? `${grouped(left)} left` : "solved");

function prepareReplays() {
  const usual = [0, board.strategies.length - 1];
  for (let place = 0; place < Math.min(PLAYERS, board.strategies.length); place++) {
    const select = element("select", { change: () => showReplay(shownPlace) }, element("option", { value: "" }, "none"), ...options());
    select.value = usual[place] ?? "";
    $("players").append(element("label", {}, `Strategy ${place + 1} `, select));
  }
  const placeOf = (text) => board.kept.findIndex((puzzle) => board.names[puzzle].toLowerCase() === text);
  const names = new Set(board.kept.map((puzzle) => board.names[puzzle]));
  $("puzzles").append(...[...names].map((value) => element("option", { value })));
  $("puzzle").addEventListener("change", () => {
    const text = $("puzzle").value.trim();
    const place = placeOf(text.toLowerCase().replace(/[\s,]+/g, ", "));
    if (place >= 0) showReplay(place);
    else $("no-puzzle").textContent = `There is no replay of a puzzle “${text}”.`;
  });
  const count = board.kept.length;
  $("back").addEventListener("click", () => showReplay((shownPlace + count - 1) % count));
  $("forth").addEventListener("click", () => showReplay((shownPlace + 1) % count));
  $("legend").replaceChildren(...(board.legend ? [element("li", {}, board.legend)] : legendOf(board.marks.length)));
  showReplay(board.placeOf.get(board.hardest[0]));
}

// ------------------------------------------------------------------------------------------------ one strategy

function showStrategy(strategy) {
  $("one").value = strategy.number;
  const entry = ([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, named(text)));
  $("about").replaceChildren(
    element("h3", {}, named(strategy.name)),
    element("p", {}, named(strategy.summary)),
    element("dl", {}, ...[["parameters", strategy.parameters.join(", ") || "none"], ...strategy.figures].map(entry)));
  const every = strategy.taken.length;
  $("spread").replaceChildren(header("Guesses", "Puzzles", "Share"), element("tbody", {}, ...strategy.distribution.map(([label, count]) =>
    element("tr", {}, element("th", { scope: "row" }, label > board.maxGuesses ? `${label}!` : label),
      element("td", {}, grouped(count)), element("td", {}, `${((100 * count) / every).toFixed(2)}%`)))));
  $("branches").replaceChildren(...treeOf(strategy));
}

/** Return the decision tree of a strategy: its first guess, which unfolds; or why it has none. */
function treeOf(strategy) {
  if (board.boards > 1) return [element("p", {}, "With several boards, hardly any position occurs twice, so there is no tree to show.")];
  if (strategy.isRandom) return [element("p", {}, "The strategy is random, so it has no tree.")];
  const places = [...strategy.plays.keys()].filter((place) => strategy.plays[place].guesses.length);
  if (!places.length) return [element("p", {}, "It made no guess.")];
  const opener = board.words[strategy.plays[places[0]].guesses[0]];
  return [unfolding(() => branches(strategy, places, 0), "First guess: ", element("strong", {}, named(opener)))];
}

/** Return a summary that unfolds what `inside` returns when it is first opened. */
function unfolding(inside, ...summary) {
  const opened = element("details", { toggle: () => {
    if (opened.children.length === 1) opened.append(inside());
  } }, element("summary", {}, ...summary));
  return opened;
}

/** Return a list of what a strategy sees after its guess in plays that are equal so far, the most plays first. */
function branches(strategy, places, depth) {
  const parts = Map.groupBy(places, (place) => {
    const { guesses, feedback } = strategy.plays[place];
    return `${guesses[depth]} ${feedback[depth]}`;
  });
  const sorted = [...parts.values()].sort((one, other) => other.length - one.length);
  return element("ul", {}, ...sorted.map((part) => {
    const play = strategy.plays[part[0]];
    const later = part.filter((place) => strategy.plays[place].guesses.length > depth + 1);
    const [left] = play.left[depth];
    const count = plural(part.length, "puzzle") + (left && left !== part.length ? `, ${plural(left, "word")} left` : "");
    if (!later.length) {
      const isSolved = strategy.taken[board.kept[part[0]]] <= board.cap;
      const ending = isSolved ? "solved" : `${count}, ${strategy.failures[part[0]]}`;
      return element("li", { class: "leaf" }, guessed(play, depth), " ", element("span", { class: "count" }, named(ending)));
    }
    const next = board.words[strategy.plays[later[0]].guesses[depth + 1]];
    return element("li", {}, unfolding(() => branches(strategy, later, depth + 1),
      guessed(play, depth), " ", element("span", { class: "count" }, count), " ",
      element("span", { class: "then" }, "then ", element("strong", {}, named(next)))));
  }));
}

// ------------------------------------------------------------------------------------------------ the page

async function start() {
  board = prepare(await decompressed($("payload").textContent));
  nameMarks(board.marks);
  prepareLeaderboard();
  showPairs();
  showHardest();
  prepareReplays();
  $("one").append(...options());
  $("one").addEventListener("change", () => showStrategy(board.strategies[$("one").value]));
  showStrategy(board.strategies[0]);
  $("contrast").addEventListener("change", () => document.documentElement.classList.toggle("contrast", $("contrast").checked));
  document.addEventListener("click", ({ target }) => {
    const { strategy, puzzle } = target.closest("a")?.dataset ?? {};
    if (strategy !== undefined) showStrategy(board.strategies[strategy]);
    if (puzzle !== undefined) showReplay(board.placeOf.get(Number(puzzle)));
  });
  prepareSkipLink();
  for (const hidden of document.querySelectorAll("nav, main > section, .switch")) hidden.hidden = false;
  $("contrast").closest("label").hidden = !board.marks.length;
}

run(start, "This browser cannot show more than the leaderboard");
