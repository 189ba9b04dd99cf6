import { base } from './base.js';
import { forgetIds, idsOf, staleIds } from './ids.js';
import { begin, keyOf, onKey } from './key.js';
import { addCopyButton, confirm, copy } from './page.js';

// Forms that send requests to this server.

/** The response headers to show. */
const shown = [
  'x-request-id',
  'ratelimit',
  'retry-after',
  'idempotency-replayed',
  'ignored-parameters',
  'link',
  'deprecation',
  'sunset',
];
/** Maximum characters of a stream to show. Only the latest are kept. */
const LONGEST = 200_000;

/** Returns the form's current request, without the key. */
function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const field of form.querySelectorAll('[data-place]')) {
    const { value, name, dataset } = field;
    if (dataset.place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
    else if (value !== '' && dataset.place === 'query') query.set(name, value);
    else if (value !== '') headers[name] = value;
  }
  const { accept, body } = form.elements;
  if (accept) headers.Accept = accept.value;
  const text = body?.value.trim();
  if (text) headers['Content-Type'] = body.dataset.type;
  const search = query.size > 0 ? `?${query}` : '';
  return { method: form.dataset.method, path: path + search, headers, body: text || undefined };
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the same request as a shell command. The key remains a variable, because copied commands are often
 * shared.
 */
function curlOf({ method, path, headers, body }, isOpen) {
  return [
    `curl -X ${method} ${quoted(location.origin + base + path)}`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ');
}

/** Inserts a line about the response, with an empty frame for its content below. */
function frameIn(form, facts, className = '') {
  const line = document.createElement('p');
  line.className = 'facts';
  const status = document.createElement('span');
  status.className = `status ${className}`;
  status.textContent = facts[0];
  line.append(status, ['', ...facts.slice(1)].join(' · '));
  const frame = document.createElement('figure');
  frame.className = 'code';
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  const code = document.createElement('code');
  pre.append(code);
  frame.append(pre);
  form.querySelector('.result').replaceChildren(line, frame);
  addCopyButton(frame);
  return code;
}

const prettyJson = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Shows a response. A stream is shown as it arrives, anything else as a whole. */
async function show(form, response, startedAt) {
  const facts = [
    `${response.status} ${response.statusText}`.trim(),
    `${Math.round(performance.now() - startedAt)} ms`,
    ...shown
      .filter((name) => response.headers.has(name))
      .map((name) => `${name}: ${response.headers.get(name)}`),
  ];
  const code = frameIn(form, facts, `s${String(response.status)[0]}`);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    code.textContent = prettyJson(await response.text());
    return;
  }
  const decoder = new TextDecoder();
  for await (const piece of response.body)
    code.textContent = (code.textContent + decoder.decode(piece, { stream: true })).slice(-LONGEST);
}

async function send(form) {
  const { method, path, headers, body } = requestOf(form);
  const [button, stop] = [form.querySelector('[type=submit]'), form.querySelector('[data-does=stop]')];
  const ending = new AbortController();
  stop.onclick = () => ending.abort();
  // Removes the previous response, which could be mistaken for the new one.
  form.querySelector('.result').replaceChildren();
  button.disabled = true;
  stop.hidden = false;
  try {
    // Operations that need no key are called without one.
    const authorized =
      keyOf() && !('open' in form.dataset) ? { Authorization: `Bearer ${keyOf()}`, ...headers } : headers;
    const options = { method, headers: authorized, body, signal: ending.signal, cache: 'no-store' };
    const startedAt = performance.now();
    await show(form, await fetch(base + path, options), startedAt);
    if (method !== 'GET') staleIds();
  } catch (error) {
    if (!ending.signal.aborted) frameIn(form, ['No response'], 's5').textContent = String(error.message);
  } finally {
    button.disabled = false;
    stop.hidden = true;
  }
}

/** Suggests ids in the fields of a form, and fills in path ids. */
async function offer(form) {
  if (keyOf() === '') return;
  const fields = (tag) => [...form.querySelectorAll(`${tag}[data-ids]`)];
  await Promise.all([
    ...fields('input').map(suggest),
    ...fields('select').map((field) => choose(form, field)),
  ]);
}

/** Suggests ids below an input, and fills in the first one if the page asks for that. */
async function suggest(field) {
  const ids = await idsOf(field.dataset.ids);
  field.list.replaceChildren(...ids.map(({ id, name }) => new Option(name, id)));
  if ('fill' in field.dataset && field.value === '' && ids[0]) field.value = ids[0].id;
}

/** Suggests ids for a body field, and replaces the example's id with an existing one. */
async function choose(form, field) {
  const ids = await idsOf(field.dataset.ids);
  const options = ids.map(({ id, name }) => new Option(name || id, id));
  field.replaceChildren(new Option('id in the body', ''), ...options);
  field.closest('label').hidden = ids.length === 0;
  setInBody(form, field.dataset.field, (now) =>
    now === undefined || ids.length === 0 || ids.some(({ id }) => id === now) ? undefined : ids[0].id,
  );
}

/** Sets one field of a JSON body. */
function setInBody(form, name, change) {
  const { body } = form.elements;
  try {
    const value = JSON.parse(body.value);
    const next = change(value[name]);
    if (next === undefined) return;
    value[name] = next;
    body.value = JSON.stringify(value, null, 2);
  } catch {
    // The text is not valid JSON, probably because the user is still typing.
  }
}

for (const details of document.querySelectorAll('details.try')) {
  const form = details.querySelector('form');
  details.addEventListener('toggle', () => details.open && offer(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
  form.addEventListener('focusin', ({ target }) => target.list && keyOf() && suggest(target));
  form.addEventListener('change', ({ target }) => {
    if (target.name === 'example') {
      form.elements.body.value = target.value;
      offer(form);
    } else if (target.dataset.field && target.value)
      setInBody(form, target.dataset.field, () => target.value);
  });
  form.querySelector('[data-does=curl]').addEventListener('click', async ({ target }) => {
    await copy(curlOf(requestOf(form), 'open' in form.dataset));
    confirm(target, 'Copied');
  });
}

onKey(() => {
  forgetIds();
  for (const details of document.querySelectorAll('details.try[open]')) offer(details.querySelector('form'));
});
begin();
