import type { AllowedHosts } from '../lib/allowedHosts.ts';
import { late } from '../lib/late.ts';
import type { DeliveryContext } from './courier.ts';
import type { Resolve } from './guard.ts';

/**
 * Returns the function that sends requests. Loads the HTTP client on first use, because importing it makes
 * Node load all of `fetch`, which takes 15 MB.
 */
export function sender(
  allowedHosts: AllowedHosts,
  resolve: Resolve | undefined,
  signal: AbortSignal,
): DeliveryContext['send'] {
  const load = late(async () => {
    const [{ createAgents }, { send }] = await Promise.all([import('./guard.ts'), import('./send.ts')]);
    return { send, agents: createAgents(allowedHosts.allowPrivate, resolve) };
  });
  return async (request) => {
    const { send, agents } = await load();
    return send(request, agents, allowedHosts, signal);
  };
}
