const ADDRESS = '/serviceWorker.js';

/** Trusted Types, in browsers that have them: TypeScript's library lacks them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string;
  };
}

/**
 * Registers the service worker, which caches the client for offline use. Does nothing where it is unavailable, as on plain HTTP. A
 * failure only means no offline cache.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  // The URL counts as a script. The page's Content Security Policy allows only this policy name, which returns only this URL.
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => ADDRESS });
  const address = policy?.createScriptURL(ADDRESS) ?? ADDRESS;
  const isRegistered = await navigator.serviceWorker.register(address).then(
    () => true,
    () => false,
  );
  if (!isRegistered) return;
  const { active } = await navigator.serviceWorker.ready;
  // The first page loads before there is a worker: report its files, so that they are cached for offline use.
  const tell = (entries: PerformanceEntryList) => active?.postMessage(entries.map(({ name }) => name));
  new PerformanceObserver((list) => tell(list.getEntries())).observe({ type: 'resource', buffered: true });
}
