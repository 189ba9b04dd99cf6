import { pathInSite } from '../../api/base.ts';
import { createStore } from '../../ui/index.ts';

/** Secrets from the URL, which are removed from the URL and the history at once. */
export interface Arrival {
  /** The token in a link: `/welcome#link_plv_…`. */
  link?: string;
  /** The query in a provider's redirect: `/sign-in/<provider>?code=…&state=…`. */
  query?: string;
  /** The code that an app displays: `/device#BCDF-GHJK`. */
  code?: string;
}

function take(): Arrival {
  const { pathname, search, hash } = location;
  const path = pathInSite(pathname) ?? '';
  const found: Arrival = {};
  if (path === '/welcome' && hash.length > 1) found.link = decodeURIComponent(hash.slice(1));
  else if (path === '/device' && hash.length > 1) found.code = decodeURIComponent(hash.slice(1));
  else if (/^\/sign-in\/[^/]+$/.test(path) && search !== '') found.query = search;
  else return {};
  history.replaceState(history.state, '', pathname);
  return found;
}

const arrival = createStore(take());

// Pasting a link over the page's URL only changes the hash and does not load a page.
window.addEventListener('hashchange', () => {
  const found = take();
  if (found.link === undefined && found.code === undefined) return;
  arrival.set(found);
});

/** The secrets from the URL, until they are used or the page is reloaded. */
export const useArrival = (): Arrival => arrival.use();

/** Clears the secrets from the URL once they are used. */
export const clearArrival = (): void => arrival.set({});
