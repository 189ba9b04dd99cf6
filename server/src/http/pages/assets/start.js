// The start page: shows whether the process responds, and whether its data can be read and written.

async function probe(place) {
  const { isGood, words } = await ask(place.dataset.probe);
  place.textContent = words;
  place.className = isGood ? 'good' : 'bad';
}

async function ask(address) {
  try {
    const response = await fetch(address, { cache: 'no-store' });
    // If the body is not read, its connection stays open.
    await response.text();
    if (response.ok) return { isGood: true, words: address.endsWith('/readyz') ? 'ready' : 'running' };
    return { isGood: false, words: 'not ready' };
  } catch {
    return { isGood: false, words: 'no response' };
  }
}

function probeAll() {
  for (const place of document.querySelectorAll('[data-probe]')) probe(place);
}

probeAll();
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') probeAll();
});
