import type { AllowedHosts } from '../lib/allowedHosts.ts';
import type { Deps } from '../lib/deps.ts';
import { late } from '../lib/late.ts';
import { authorizationOf, type PushKey } from '../lib/webPush/authorization.ts';
import type { Device } from '../lib/webPush/device.ts';
import { encrypt } from '../lib/webPush/encrypt.ts';
import type { Resolve } from '../webhooks/guard.ts';
import type { Outcome } from '../webhooks/send.ts';

/** A message for a device (RFC 8030, 5). */
interface Push {
  payload: object;
  urgency: 'high' | 'normal';
  /** How long the push service keeps the message for a device that is offline, in seconds. */
  seconds: number;
  /** The message replaces an undelivered one with the same topic. */
  topic: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

interface SenderOptions {
  deps: Pick<Deps, 'randomBytes'>;
  key(): Promise<PushKey>;
  allowedHosts: AllowedHosts;
  address: string;
  resolve?: Resolve | undefined;
}

/**
 * Returns a function that sends a push to a device, using the same address checks as webhooks. If the push
 * service fails, it resolves with that outcome instead of rejecting. `signal` aborts requests.
 */
export function sender(
  { deps, key, allowedHosts, address, resolve }: SenderOptions,
  signal: AbortSignal,
): (device: Device, push: Push) => Promise<Outcome> {
  // Loads the HTTP client on first use, as for webhooks.
  const load = late(async () => {
    const [{ createAgents }, { attempt }] = await Promise.all([
      import('../webhooks/guard.ts'),
      import('../webhooks/send.ts'),
    ]);
    return { attempt, agents: createAgents(allowedHosts.allowPrivate, resolve) };
  });
  // Push services reject contacts that they cannot reach.
  const contact = address.startsWith('https:') ? address : '';
  return async ({ endpoint, keys }, { payload, urgency, seconds, topic, at }) => {
    const { attempt, agents } = await load();
    const headers = {
      authorization: authorizationOf(await key(), endpoint, contact, at),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(Math.max(seconds, 0)),
      topic,
      urgency,
    };
    const body = encrypt(Buffer.from(JSON.stringify(payload)), keys, deps.randomBytes);
    return attempt({ url: endpoint, headers, body }, agents, allowedHosts, signal);
  };
}
