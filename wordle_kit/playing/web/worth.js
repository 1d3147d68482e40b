// What each guess was worth, once a puzzle is over, as playing/assistance.py computes it. Between guesses that take long
// to look at, the page goes on.

const NOTHING = 1e-9; // bits; less comes from rounding
const AT_ONCE = 12; // milliseconds of work between two looks at what the player does

/** Return a function that gives a number for the feedback of a guess on an answer: equal for equal feedback. */
function comparer({ kind, answers, codes }) {
  const { ids, length } = game;
  if (kind === "table") return (guess, answer) => codes[guess * answers.length + answer];
  const values = Array.from({ length }, (_, place) => 3 ** place);
  return (guess, answer) => {
    const here = guess * length;
    const there = answers[answer] * length;
    let placed = 0; // a bit for each place
    let code = 0;
    let black = 0;
    let white = 0;
    for (let p = 0; p < length; p++) {
      if (ids[here + p] !== ids[there + p]) continue;
      placed |= 1 << p;
      code += 2 * values[p];
      black++;
    }
    for (let p = 0, used = placed; p < length; p++) {
      if ((placed >> p) & 1) continue;
      for (let q = 0; q < length; q++) {
        if ((used >> q) & 1 || ids[here + p] !== ids[there + q]) continue;
        used |= 1 << q;
        code += values[p];
        white++;
        break;
      }
    }
    if (kind === "marks") return code;
    return kind === "pegs" ? black * (length + 1) + white : black === length ? length + 1 : black + white;
  };
}

/** Make what the functions below need. */
function prepareWorth(worth) {
  worth.compare = comparer(worth);
  worth.win = worth.compare(worth.answers[0], 0);
  const highest = { marks: 3 ** game.length, pegs: (game.length + 1) ** 2, common: game.length + 2, table: 2 ** 16 }[worth.kind];
  [worth.sizes, worth.masses] = [new Float64Array(highest), new Float64Array(highest)];
}

/** Return a board with some of the answers left. Answers whose weights are all 0 count equally. */
function boardWith(left) {
  const weights = game.worth.weights;
  const mass = weights ? left.reduce((sum, answer) => sum + weights[answer], 0) : left.length;
  return mass ? { left, mass, weight: weights ? (answer) => weights[answer] : () => 1 } : { left, mass: left.length, weight: () => 1 };
}

/** Return the parts of a board by the feedback of a guess: [feedback, number of answers, their weight]. */
function partsOf(board, guess) {
  const { compare, sizes, masses } = game.worth;
  const found = [];
  for (const answer of board.left) {
    const feedback = compare(guess, answer);
    if (!sizes[feedback]++) found.push(feedback);
    masses[feedback] += board.weight(answer);
  }
  return found.map((feedback) => {
    const part = [feedback, sizes[feedback], masses[feedback]];
    sizes[feedback] = masses[feedback] = 0;
    return part;
  });
}

/** Return the information that a guess is expected to give on a board, in bits. */
const bitsOf = (board, guess) =>
  Math.log2(board.mass) - partsOf(board, guess).reduce((sum, [, , mass]) => sum + (mass > 0 ? mass * Math.log2(mass) : 0), 0) / board.mass;

const sumOver = (boards, count) => boards.reduce((sum, board) => sum + count(board), 0);

/** Return the word of several with the same score that is guessed: the first that may be the answer, or the first. */
function firstOf(words, boards) {
  const likely = new Set(boards.flatMap((board) => Array.from(board.left).filter((answer) => board.weight(answer) > 0)).map((answer) => game.worth.answers[answer]));
  return words.find((word) => likely.has(word)) ?? words[0];
}

/** Return the information of each of some words on boards, in bits, a few of them at a time. */
async function informationOf(words, boards) {
  const bits = new Float64Array(words.length);
  let since = performance.now();
  for (const [place, word] of words.entries()) {
    bits[place] = sumOver(boards, (board) => bitsOf(board, word));
    if (performance.now() - since < AT_ONCE) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  return bits;
}

/** Return the words with the most information, and how much that is. */
async function best(words, boards) {
  const bits = await informationOf(words, boards);
  const most = bits.reduce((one, other) => Math.max(one, other), 0);
  return { most, word: firstOf(words.filter((_, place) => bits[place] >= most - NOTHING), boards) };
}

/** Return the word to guess if boards have one answer left: the one that solves the most of them. */
async function certainOf(certain, others) {
  const words = certain.map((board) => game.worth.answers[board.left[0]]);
  const count = (word) => words.filter((one) => one === word).length;
  const most = Math.max(...words.map(count));
  const equal = [...new Set(words.filter((word) => count(word) === most))].sort((one, other) => one - other);
  return equal.length === 1 || !others.length ? equal[0] : (await best(equal, others)).word;
}

/** Yield what each guess of a puzzle that is over was worth. */
async function* worthOf(play) {
  const { answers, compare, win } = game.worth;
  const all = game.texts.map((_, word) => word);
  let boards = play.boards.map(({ board }) => ({
    ...boardWith(answers.map((_, answer) => answer)),
    board, hidden: answers.indexOf(game.feedback(play.puzzle, board).indexOf(WINS)),
  }));
  for (const [turn, guess] of play.guesses.entries()) {
    if (!boards.length) return;
    const before = stateAfter(play.puzzle, play.guesses.slice(0, turn));
    let allowed = game.hardMode ? all.filter((word) => !hardModeProblem(before, word)) : all;
    const isAllowed = new Set(allowed);
    if (!allowed.length) allowed = all;
    const found = turn ? await best(allowed, boards) : { most: game.worth.most, word: game.worth.best };
    const certain = boards.filter(({ left }) => left.length === 1 && (!game.hardMode || isAllowed.has(answers[left[0]])));
    if (certain.length) found.word = await certainOf(certain, boards.filter(({ left }) => left.length > 1));
    let [expected, luck] = [0, 0];
    const after = boards.map((board) => {
      const feedback = compare(guess, board.hidden);
      const left = board.left.filter((answer) => compare(guess, answer) === feedback);
      const leaves = (code, size) => (code === win ? 0 : size);
      for (const [code, size, mass] of partsOf(board, guess)) {
        const more = leaves(code, size) - leaves(feedback, left.length);
        expected += (leaves(code, size) * mass) / board.mass;
        luck += (mass * (more > 0 ? 1 : more === 0 ? 0.5 : 0)) / board.mass / boards.length;
      }
      return { ...board, ...boardWith(left), solved: feedback === win };
    });
    const bits = sumOver(boards, (board) => bitsOf(board, guess));
    const isOnlyWord = boards.some(({ left }) => left.length === 1 && answers[left[0]] === guess);
    const skill = isOnlyWord ? 1 : found.most < NOTHING ? 0 : Math.min(1, bits / found.most);
    yield {
      guess: game.texts[guess], before: sumOver(boards, ({ left }) => left.length), expected,
      after: sumOver(after, ({ left, solved }) => (solved ? 0 : left.length)), skill, luck, entropy: game.texts[found.word],
    };
    boards = after.filter(({ solved }) => !solved);
  }
}

let reviewed = null; // the puzzle and the guesses of the table that is shown

/** Show what the guesses of a puzzle that is over were worth, one after the other. */
async function showWorth(play) {
  $("worth").hidden = !play.over || !game.worth || !play.guesses.length;
  const which = JSON.stringify([play.puzzle, play.over, play.guesses]);
  if (which === reviewed) return;
  reviewed = which;
  const rows = $("worths").tBodies[0];
  rows.replaceChildren();
  $("averages").textContent = "";
  if ($("worth").hidden) return;
  const percent = (share) => `${Math.round(100 * share)}%`;
  const found = [];
  for await (const row of worthOf(play)) {
    if (reviewed !== which) return; // the player has gone on
    found.push(row);
    const other = element("span", { class: "other" }, named(row.entropy));
    rows.append(element("tr", {}, element("th", { scope: "row" }, named(row.guess), other),
      ...[grouped(row.before), row.expected.toFixed(1), grouped(row.after), percent(row.skill), percent(row.luck)].map((text) => element("td", {}, text))));
  }
  const mean = (name) => percent(found.reduce((sum, row) => sum + row[name], 0) / found.length);
  $("averages").textContent = `Skill ${mean("skill")}, luck ${mean("luck")} on average.`;
}
