import { base } from './api/base.ts';

const ADDRESS = `${base}/serviceWorker.js`;

/** Trusted Types, if the browser supports them. TypeScript's library lacks the types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string;
  };
}

/**
 * Registers the service worker, which caches the client for offline use. Does nothing if service workers
 * are unavailable, as on plain HTTP. If it fails, the client works without an offline cache.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  // With Trusted Types, the URL needs a policy. The page's Content Security Policy allows only this policy
  // name, and the policy returns only this URL.
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => ADDRESS });
  const address = policy?.createScriptURL(ADDRESS) ?? ADDRESS;
  const isRegistered = await navigator.serviceWorker.register(address).then(
    () => true,
    () => false,
  );
  if (!isRegistered) return;
  const { active } = await navigator.serviceWorker.ready;
  // The first page loads before there is a worker, so the page reports its files, which the worker then caches
  // for offline use.
  const tell = (entries: PerformanceEntryList) => active?.postMessage(entries.map(({ name }) => name));
  new PerformanceObserver((list) => tell(list.getEntries())).observe({ type: 'resource', buffered: true });
}
