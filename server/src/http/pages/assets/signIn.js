// The page to which a provider leads back: it completes the sign-in, and asks for what else is needed. Its address has a code that
// is good once; the page takes it out of the history before anything else.

const query = location.search;
const provider = location.pathname.split('/').at(-1);
history.replaceState(null, '', location.pathname);

const words = document.querySelector('[role=status]');
const form = document.querySelector('form');

/** Answers with the data; throws the error of the answer. */
async function call(path, body) {
  const response = await fetch(`/api/people${path}`, {
    method: 'POST',
    headers: { 'Palaver-Server': 'none', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data, error } = await response.json();
  if (error) throw error;
  return data;
}

/** Shows the fields that are needed. The words are about what was given, if something was. */
function ask({ need, username, name }, message) {
  words.textContent = message;
  for (const field of form.querySelectorAll('label')) field.hidden = field.dataset.for !== need;
  if (username !== undefined && form.username.value === '') form.username.value = username;
  if (name !== undefined && form.name.value === '') form.name.value = name;
  form.dataset.need = need;
  form.hidden = false;
  form.querySelector('label:not([hidden]) input')?.focus();
}

async function run(task) {
  try {
    const { returnTo } = await task();
    location.replace(returnTo);
  } catch (error) {
    if (error.details?.need) return ask(error.details, error.message);
    words.textContent = error.message ?? 'The server gives no answer.';
    document.querySelector('.again').hidden = !form.hidden;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = Object.fromEntries(
    [...form.querySelectorAll('label:not([hidden]) input')]
      .filter(({ value }) => value.trim() !== '')
      .map(({ name, value }) => [name, value.trim()]),
  );
  run(() => call('/providers/finish', given));
});

const isConnecting = new URLSearchParams(query).get('state')?.startsWith('add.');
if (query === '') {
  words.textContent = 'There is nothing to complete here.';
  document.querySelector('.again').hidden = false;
} else {
  run(() =>
    isConnecting
      ? call('/identities', { provider, query })
      : call(`/providers/${encodeURIComponent(provider)}/callback`, { query }),
  );
}
