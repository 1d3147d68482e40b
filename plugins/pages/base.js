// The functions of every page: make elements, read data, and show guesses as tiles.
"use strict";

const MARKS = ["absent", "present elsewhere", "correct", "mark 3", "mark 4", "mark 5", "mark 6", "mark 7", "mark 8", "mark 9"];
/** Name the marks as a rule does. */
const nameMarks = (names) => MARKS.splice(0, names.length, ...names);

const SIGNS = ["", "○", "●", "◆", "◇", "▲", "△", "■", "□", "★"];

const $ = (id) => document.getElementById(id);

/** Return an element with attributes, properties that are functions as listeners, and children as elements or text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Return a name that somebody else chose, isolated from the direction of the text around it. */
const named = (text) => element("bdi", {}, text);

const grouped = (number) => number.toLocaleString("en");

const plural = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

/** Return the data in the text of `compressed` in html.py. */
async function decompressed(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Return a tile: a symbol, or none, with the colour and the sign of its mark. */
const tile = (symbol, mark) =>
  element("span", { class: "tile", "data-mark": mark }, symbol, element("span", { class: "sign" }, SIGNS[mark]));

/** Return the marks of a guess in words. */
const inWords = (symbols, marks) => symbols.map((symbol, place) => `${symbol} ${MARKS[marks[place]]}`).join(", ");

/** Return a guess as tiles, given its text, its symbols and the digits of its marks. */
const tiled = (word, symbols, marks) =>
  element("span", { class: "guess", role: "img", "aria-label": `${word}: ${inWords(symbols, marks)}`, "data-word": word, "data-feedback": marks },
    ...symbols.map((symbol, place) => tile(symbol, marks[place])));

/** Return the items of a legend: every mark with its sign and its name. */
const legendOf = (count) => Array.from({ length: count }, (_, mark) => element("li", {},
  element("span", { class: "guess", "aria-hidden": "true" }, tile("", mark)), ` ${MARKS[mark]}`));

/** Make the link to the content work without changing the fragment of the address. */
function prepareSkipLink() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("main").focus();
  });
}

/** Start a page; if its browser cannot show it, say so, and say what works nevertheless. */
function run(start, otherwise) {
  start().then(() => {
    performance.mark("ready");
    document.documentElement.dataset.ready = "yes";
  }).catch((error) => {
    $("problem").textContent = `${otherwise}: ${error.message}. A current version of Firefox, Chrome, Edge or Safari can.`;
    $("problem").hidden = false;
  });
}
