const ADDRESS = '/serviceWorker.js';

/** What browsers call Trusted Types, where they have it: TypeScript does not know it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string;
  };
}

/**
 * Registers the service worker, which keeps the client for times without a network. Does nothing where browsers allow none: over
 * plain HTTP to another machine. A failure only means that nothing is kept.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  // The address counts as a script. The policy of the page allows this name alone, and it makes this address alone.
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => ADDRESS });
  const address = policy?.createScriptURL(ADDRESS) ?? ADDRESS;
  const isRegistered = await navigator.serviceWorker.register(address).then(
    () => true,
    () => false,
  );
  if (!isRegistered) return;
  const { active } = await navigator.serviceWorker.ready;
  // The first page loads before there is a worker: what it has is told, so that it opens without a network from then on.
  const tell = (entries: PerformanceEntryList) => active?.postMessage(entries.map(({ name }) => name));
  new PerformanceObserver((list) => tell(list.getEntries())).observe({ type: 'resource', buffered: true });
}
