import { base } from './base.js';
import './search.js';

// The script for all pages, with the menu, the address in examples, and buttons that copy code.

/** The placeholder address in examples (`operation.ts`), in all its forms. */
const EXAMPLES = /http:\/\/(localhost|127\.0\.0\.1):8080/g;

/**
 * Copies a text. Without TLS, browsers have no clipboard API. In that case, selects the text and copies the
 * selection.
 */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** Briefly shows a confirmation as the button's label. */
export function confirm(button, words) {
  const before = button.textContent;
  button.textContent = words;
  setTimeout(() => {
    button.textContent = before;
  }, 1_500);
}

/** Adds a button that copies a frame's code. */
export function addCopyButton(frame) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await copy(frame.querySelector('code').textContent.trimEnd());
    confirm(button, 'Copied');
  });
  // Lines that wrap flow around the button. Lines that scroll end before it.
  const pre = frame.querySelector('pre');
  if (getComputedStyle(pre).whiteSpace === 'pre-wrap') pre.prepend(button);
  else frame.append(button);
}

// Guides for operators also contain other addresses, so only client commands are rewritten.
for (const code of document.querySelectorAll('figure.code code')) {
  if (/^ *(curl|export PALAVER=)/m.test(code.textContent))
    code.textContent = code.textContent.replace(EXAMPLES, location.origin + base);
}
for (const frame of document.querySelectorAll('figure.code')) addCopyButton(frame);

const menu = document.querySelector('.menu');
const navigation = document.querySelector('#navigation');
menu.addEventListener('click', () => {
  const isOpen = navigation.classList.toggle('open');
  menu.setAttribute('aria-expanded', String(isOpen));
  if (isOpen) window.scrollTo(0, 0);
});
const here = navigation.querySelector('[aria-current]');
if (here) navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2;
