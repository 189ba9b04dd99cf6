import { parentPort, workerData } from 'node:worker_threads';
import { CONTENT } from './report.ts';

/** The thread's `workerData`. */
export interface Clients {
  serverId: string;
  channelIds: readonly string[];
  key: string;
  /** Requests in flight. */
  atOnce: number;
}

/** A send as an HTTP thread would pass it on, after parsing and authenticating it. */
export interface Passed {
  key: string;
  body: { serverId: string; channelId: string; content: string };
}

// Stands in for the HTTP threads: keeps `atOnce` sends in flight until the requested number has been sent.
// Each batch of responses is followed by a batch of as many sends.
if (parentPort) {
  const port = parentPort;
  const { serverId, channelIds, key, atOnce } = workerData as Clients;
  let number = 0;
  let left = 0;
  const send = (amount: number) => {
    const some: Passed[] = [];
    for (; some.length < amount && left > 0; left--) {
      const channelId = channelIds[number++ % channelIds.length] as string;
      some.push({ key, body: { serverId, channelId, content: CONTENT } });
    }
    if (some.length > 0) port.postMessage(some);
  };
  port.on('message', (message: { sends: number } | string[]) => {
    if (Array.isArray(message)) return send(message.length);
    left = message.sends;
    send(atOnce);
  });
}
