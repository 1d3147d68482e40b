// The page of puzzles, after game.js and boards.js: guesses, the text to share, and the puzzles of a series.

// ------------------------------------------------------------------------------------------------ playing

/** Show a message; screen readers say the unseen text before it. */
function say(message, unseen = "") {
  $("message").replaceChildren(...(unseen ? [element("span", { class: "unseen" }, `${unseen} `)] : []), message);
}

/** Return why the word in the input field cannot be guessed, or an empty text. */
function refusal(play, word) {
  if (game.idOf.has(word)) return hardModeProblem(play, word);
  const symbols = typed();
  const strange = symbols.find((symbol) => !game.known.has(symbol));
  if (!symbols.length) return "Type a guess first.";
  const [noun, symbol] = game.nouns;
  if (strange !== undefined) return `“${strange}” is not one of the ${symbol}s of this game.`;
  if (symbols.length !== game.length) return `“${word}” has ${plural(symbols.length, symbol)}; ${noun}s have ${game.length}.`;
  return `“${word}” is not one of the ${noun}s of this game.`;
}

/** Guess the word in the input field, or say why it cannot be guessed. */
function guess() {
  const play = playOf(current);
  if (play.over) return;
  const word = typed().join(game.separator);
  const problem = refusal(play, word);
  if (problem) return say(problem);
  plays[current].guesses.push(word);
  $("guess").value = "";
  save(current);
  const after = playOf(current);
  if (after.over) remember(after);
  show();
  say(news(after), spoken(after));
  if (after.over) $("outcome").focus();
}

/** Return the feedback on the last guess in words. */
function spoken({ guesses, boards }) {
  const word = guesses.at(-1);
  const parts = boards.filter(({ seen }) => seen.length === guesses.length).map(({ board, seen }) => {
    const text = game.texts[seen.at(-1)];
    const marks = game.tiles ? inWords(split(word), text) : text;
    return game.boards > 1 ? `Board ${board + 1}: ${marks}.` : `${marks}.`;
  });
  return `Guess ${guesses.length}, ${word}. ${parts.join(" ")}`;
}

/** Return the state of a puzzle as a sentence. */
function standing({ guesses, over, solved, gaveUp }) {
  if (!over) return `${plural(game.maxGuesses - guesses.length, "guess", "guesses")} left.`;
  if (gaveUp) return "Not solved: given up.";
  return `${solved ? "Solved" : "Not solved"} with ${plural(guesses.length, "guess", "guesses")}.`;
}

/** Return the state of a puzzle that is not over; on several boards, hard mode may leave no guess. */
function news(play) {
  if (play.over) return "";
  if (game.hardMode && game.boards > 1 && game.words.every((word) => play.guesses.includes(word) || hardModeProblem(play, word)))
    return `Hard mode allows no further guess on all boards. Show the ${game.nouns[0]}s to end the puzzle.`;
  return standing(play);
}

/** Return a play as people share it: a line a guess, without any word. */
function shareText(play) {
  const turns = play.solved ? String(play.guesses.length) : "X";
  const which = game.dates.length ? `, ${game.dates[play.puzzle]}` : game.count > 1 ? ` ${play.puzzle + 1}/${game.count}` : "";
  const blank = (game.tiles ? "  " : " ").repeat([...game.pictures[WINS]].length);
  const blocks = [];
  for (let at = 0; at < game.boards; at += game.sharedAcross) {
    const boards = play.boards.slice(at, at + game.sharedAcross);
    const lines = play.guesses.map((_, turn) => boards.map(({ seen }) => (turn < seen.length ? game.pictures[seen[turn]] : blank)).join("  ").trimEnd());
    blocks.push(lines.join("\n").trimEnd());
  }
  const text = [`${game.title}${which}: ${turns}/${game.maxGuesses}${game.hardMode ? "*" : ""}`, ...blocks].join("\n\n");
  const recoloured = document.documentElement.classList.contains("contrast") && game.tiles === "⬜🟨🟩";
  return recoloured ? text.replaceAll("🟨", "🟦").replaceAll("🟩", "🟧") : text;
}

// ------------------------------------------------------------------------------------------------ series

/** Return the state of a puzzle as a sign. */
function sign(play) {
  if (!play.over) return play.guesses.length ? "…" : "";
  return play.solved ? `✓${play.guesses.length}` : "✗";
}

function showSeries() {
  const all = plays.map((_, puzzle) => playOf(puzzle));
  $("puzzles").hidden = game.count === 1 || game.dates.length > 0;
  for (const [puzzle, button] of [...$("puzzles").children].entries()) {
    const play = all[puzzle];
    button.textContent = `${puzzle + 1} ${sign(play)}`.trim();
    button.setAttribute("aria-label", `Puzzle ${puzzle + 1}, ${play.over || play.guesses.length ? standing(play) : "not begun"}`);
    if (puzzle === current) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  const open = all.filter((play) => !play.over).length;
  $("next").hidden = !open || game.dates.length > 0;
  if ($("puzzles").hidden) return;
  $("puzzles").children[current].scrollIntoView({ block: "nearest", inline: "center" });
  const solved = all.filter((play) => play.solved).length;
  $("summary").textContent = open ? `${plural(open, "puzzle")} to go.`
    : `All ${game.count} puzzles are finished, ${solved} of them solved.`;
}

/** Show another puzzle. */
function turnTo(puzzle) {
  current = puzzle;
  $("guess").value = "";
  show();
  say(news(playOf(puzzle)));
  $("heading").focus();
}

// ------------------------------------------------------------------------------------------------ the page

/** Return the date of a puzzle as people write it. */
const dateOf = (puzzle) => new Date(`${game.dates[puzzle]}T12:00`).toLocaleDateString("en", { dateStyle: "long" });

/** Turn to the puzzle of today, or to the last one before today. */
function turnToToday() {
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  const past = game.dates.filter((day) => day <= today).length;
  current = Math.max(0, past - 1);
  if (game.dates[current] !== today) $("forgetful").append(`This page has puzzles from ${dateOf(0)} to ${dateOf(game.count - 1)}.`);
}

function show() {
  const play = playOf(current);
  $("heading").textContent = game.dates.length ? dateOf(play.puzzle) : game.count > 1 ? `Puzzle ${current + 1} of ${game.count}` : "Your guesses";
  $("heading").classList.toggle("unseen", game.count === 1 && !game.dates.length);
  for (const id of ["form", "keys", "reveal"]) $(id).hidden = play.over || (id === "keys" && !keys.size);
  $("ending").hidden = !play.over;
  for (const [symbol, key] of keys) showKey(key, symbol, play);
  showSeries(); // it takes room that the boards cannot have
  showBoards(play);
  const hidden = play.boards.map(({ board }) => hiddenWord(current, board)).join(", ");
  $("outcome").replaceChildren(...(play.over ? [`${standing(play)} Hidden: `, named(hidden)] : []));
  $("share").value = play.over ? shareText(play) : "";
  $("share").rows = Math.min(12, $("share").value.split("\n").length);
  if (play.over) showStatistics(play);
}

function showStatistics(play) {
  const { played, solved, streak, longest, counts } = statistics();
  const figures = { played, solved: `${Math.round((100 * solved) / Math.max(1, played))}%`, "current streak": streak, "longest streak": longest };
  $("statistics").replaceChildren(...Object.entries(figures).map(([name, figure]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, String(figure)))));
  const most = Math.max(1, ...counts.values());
  const turns = Array.from({ length: game.maxGuesses }, (_, turn) => turn + 1).filter((turn) => game.maxGuesses <= EMPTY_ROWS || counts.has(turn));
  $("distribution").tBodies[0].replaceChildren(...turns.map((turn) => {
    const count = counts.get(turn) ?? 0;
    const bar = element("span", { class: "bar" }, String(count));
    bar.style.width = `${(100 * count) / most}%`;
    return element("tr", { class: play.solved && play.guesses.length === turn ? "now" : null }, element("th", { scope: "row" }, String(turn)), element("td", {}, bar));
  }));
}

function prepare() {
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    guess();
  });
  $("guess").addEventListener("input", () => {
    if (keys.size && typed().length > game.length) $("guess").value = typed().slice(0, game.length).join(game.separator);
    showBoards(playOf(current));
  });
  addEventListener("resize", show);
  $("about").addEventListener("toggle", show);
  $("list").addEventListener("toggle", () => {
    $("words").textContent = game.words.join(" ");
    show();
  });
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input:not([type=checkbox]), textarea");
    if (writing || event.ctrlKey || event.metaKey || event.altKey || $("form").hidden) return;
    if ((event.key.length === 1 && event.key !== " ") || event.key === "Backspace") $("guess").focus();
    if (event.key === "Enter" && !event.target.closest("button, a, label")) guess();
  });
  $("reveal").addEventListener("click", () => {
    if (!confirm("Give up this puzzle and show what is hidden?")) return;
    plays[current].gaveUp = true;
    save(current);
    remember(playOf(current));
    show();
    say("");
    $("outcome").focus();
  });
  $("clear").addEventListener("click", () => {
    if (!confirm("Forget all guesses on this page and start over?")) return;
    for (const [puzzle, play] of plays.entries()) {
      Object.assign(play, { guesses: [], gaveUp: false });
      save(puzzle);
    }
    turnTo(game.dates.length ? current : 0);
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
    const order = plays.map((_, step) => (current + step) % game.count);
    turnTo(order.find((puzzle) => !playOf(puzzle).over));
  });
  $("puzzles").replaceChildren(...plays.map((_, puzzle) => element("button", { type: "button", click: () => turnTo(puzzle) })));
}

/** Make the switch of the tiles' colours work, and remember it; it is on at first if the system asks for more contrast. */
function prepareContrast() {
  const turn = (on) => document.documentElement.classList.toggle("contrast", on);
  turn(($("contrast").checked = stored(CONTRAST) ?? matchMedia("(prefers-contrast: more)").matches));
  $("contrast").addEventListener("change", () => {
    turn($("contrast").checked);
    store(CONTRAST, $("contrast").checked);
    show();
  });
  document.querySelector(".switch").hidden = !game.tiles;
}

run(async () => {
  game = gameOf(await decompressed($("payload").textContent));
  nameMarks(game.marks);
  readProgress();
  if (game.dates.length) turnToToday();
  prepareKeys();
  prepareContrast();
  prepareSkipLink();
  prepare();
  if ($("legend")) $("legend").replaceChildren(...legendOf([...game.tiles].length));
  $("play").hidden = false;
  show();
  say(news(playOf(current)));
}, "This browser cannot show the puzzle");
