import { base } from './base.js';

// The API key for the forms. It is kept in the tab's session storage and sent only to this server.

const NAME = 'palaver.key';
const listeners = [];

export const keyOf = () => sessionStorage.getItem(NAME) ?? '';

/**
 * Calls the function whenever the key changes, with the record of its user, or with undefined if there is
 * no key.
 */
export const onKey = (listener) => listeners.push(listener);

/**
 * Sends a GET to a path of the API with the key. Resolves with the body of the response; rejects with its
 * error message.
 */
export async function get(path) {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${keyOf()}` } });
  const body = await response.json();
  if (!body.ok) throw new Error(body.error.message);
  return body.data;
}

const form = document.querySelector('form.key');
const field = form.elements.key;
const words = form.querySelector('.who');
const forget = form.querySelector('[data-does=forget]');
const unused = words.textContent;

async function use() {
  forget.hidden = keyOf() === '';
  if (keyOf() === '') {
    words.textContent = unused;
    for (const listener of listeners) listener(undefined);
    return;
  }
  field.placeholder = 'A key is in use';
  try {
    const me = await get('/api/v1/users/me');
    words.textContent = `You are ${me.name} (${me.type}) in ${me.server.name}, with the role ${me.role.name}. The key is stored only in this tab, and deleted when you close it.`;
    for (const listener of listeners) listener(me);
  } catch (error) {
    words.textContent = `This key was rejected: ${error.message}`;
    for (const listener of listeners) listener(undefined);
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = field.value.trim();
  if (key === '') return;
  sessionStorage.setItem(NAME, key);
  field.value = '';
  use();
});
forget.addEventListener('click', () => {
  sessionStorage.removeItem(NAME);
  field.placeholder = 'sk_live_…';
  use();
});

/** Called once all listeners are registered with `onKey`. */
export const begin = use;
