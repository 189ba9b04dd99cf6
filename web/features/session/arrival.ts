import { createStore } from '../../ui/index.ts';

/** What an address has brought that nobody else may read: it is taken out of the address, and of the history, at once. */
export interface Arrival {
  /** The token of a link: `/welcome#link_plv_…`. */
  link?: string;
  /** The query with which a provider has led back: `/sign-in/<provider>?code=…&state=…`. */
  query?: string;
  /** The code that an app shows: `/device#BCDF-GHJK`. */
  code?: string;
}

function take(): Arrival {
  const { pathname, search, hash } = location;
  const found: Arrival = {};
  if (pathname === '/welcome' && hash.length > 1) found.link = decodeURIComponent(hash.slice(1));
  else if (pathname === '/device' && hash.length > 1) found.code = decodeURIComponent(hash.slice(1));
  else if (/^\/sign-in\/[^/]+$/.test(pathname) && search !== '') found.query = search;
  else return {};
  history.replaceState(history.state, '', pathname);
  return found;
}

const arrival = createStore(take());

// A link that is pasted over the address of the page loads nothing.
window.addEventListener('hashchange', () => {
  const found = take();
  if (found.link === undefined && found.code === undefined) return;
  arrival.set(found);
});

/** What the address has brought. It is there until it is used up, or the page is loaded anew. */
export const useArrival = (): Arrival => arrival.use();

/** Forgets what the address has brought, once it is used up. */
export const clearArrival = (): void => arrival.set({});
