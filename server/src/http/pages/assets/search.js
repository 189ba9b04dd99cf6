import { base } from './base.js';

// Searches guides, operations and records. The index is loaded on first use.

const MOST = 12;
const field = document.querySelector('.search input');
const list = document.querySelector('.found');
let places;
/** The number of the latest search. Late results of earlier ones are dropped. */
let turn = 0;

/** Loads the index, and adds lowercase copies of its texts. */
async function load() {
  const response = await fetch(`${base}/docs/search.json`);
  const found = await response.json();
  return found.map((place) => ({
    ...place,
    title: place.t.toLowerCase(),
    page: place.p.toLowerCase(),
    text: place.x.toLowerCase(),
  }));
}

/** Whether a word of the text starts with these letters. */
function hasWord(text, letters) {
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return true;
  return false;
}

/** Returns the score of an entry. Matches in the heading weigh most. 0 if a word does not occur. */
function score(place, words) {
  let sum = 0;
  for (const word of words) {
    const fits =
      // A page ranks above a section with the same name.
      (place.title === word && (place.page === word ? 44 : 40)) ||
      (place.title.startsWith(word) && 24) ||
      (hasWord(place.title, word) && 18) ||
      (place.title.includes(word) && 12) ||
      (hasWord(place.page, word) && 8) ||
      (hasWord(place.text, word) && 5) ||
      (place.text.includes(word) && 2);
    if (!fits) return 0;
    sum += fits;
  }
  return sum;
}

/** Returns the text around the first match. */
function excerpt({ x, text }, words) {
  const at = Math.max(0, ...words.map((word) => text.indexOf(word)));
  const from = at > 40 ? text.indexOf(' ', at - 40) + 1 : 0;
  return (from > 0 ? '… ' : '') + x.slice(from, from + 160);
}

function show(words, best) {
  const items = best.map(({ place }) => {
    const link = document.createElement('a');
    link.href = base + place.u;
    link.append(place.t === place.p ? place.t : `${place.p}: ${place.t}`);
    const below = document.createElement('small');
    below.textContent = excerpt(place, words);
    if (below.textContent) link.append(below);
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  if (items.length === 0) {
    const item = document.createElement('li');
    item.className = 'none';
    item.textContent = 'No results';
    items.push(item);
  }
  list.replaceChildren(...items);
  list.hidden = false;
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return close();
  turn++;
  const latest = turn;
  places ??= load();
  const all = await places.catch(() => {
    places = undefined;
    return [];
  });
  // The user may have typed more or left the search while the index was loading.
  if (latest !== turn) return;
  const best = all
    .map((place) => ({ place, points: score(place, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, MOST);
  show(words, best);
}

function close() {
  turn++;
  list.hidden = true;
}

field.addEventListener('input', search);
field.addEventListener('click', search);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
  }
});
document.querySelector('.search').addEventListener('keydown', (event) => {
  // In Safari, only the key code shows that a key press ends an IME composition.
  if (event.isComposing || event.keyCode === 229) return;
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    close();
    field.focus({ preventScroll: true });
  } else if (event.key === 'Enter' && at < 0) links[0]?.click();
  else if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus();
  else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : field).focus();
  else return;
  event.preventDefault();
});
// The browser itself follows a focused link on Enter.
list.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') event.stopPropagation();
});
list.addEventListener('click', close);
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) close();
});
