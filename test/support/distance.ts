import { once } from 'node:events';
import { createServer, Socket } from 'node:net';

/** A proxy for PostgreSQL that adds latency and counts what clients send. */
export interface Distance {
  /** The database's URL through the proxy. */
  url: string;
  /** The number of statements that clients have sent. */
  readonly statements: number;
  /** The number of packets with statements that clients have sent, which approximates the number of round trips. */
  readonly packets: number;
  close(): void;
}

/** The type of the message that runs a prepared statement: `Execute` in PostgreSQL's protocol. */
const EXECUTE = 'E'.charCodeAt(0);

/** Starts a proxy that delays all traffic by this many milliseconds, each way. */
export async function startDistance(database: string, delayMs = 0): Promise<Distance> {
  const target = new URL(database);
  const counts = { statements: 0, packets: 0 };
  const later = (task: () => void) => (delayMs > 0 ? setTimeout(task, delayMs) : task());
  const pass = (from: Socket, to: Socket, see: (chunk: Buffer) => void) => {
    from.on('data', (chunk: Buffer) => {
      see(chunk);
      later(() => to.write(chunk));
    });
    from.on('close', () => later(() => to.destroy()));
    from.on('error', () => {});
  };
  const server = createServer((near) => {
    const far = new Socket().connect(Number(target.port), target.hostname);
    near.setNoDelay();
    far.setNoDelay();
    const statementsIn = counter();
    pass(near, far, (chunk) => {
      const found = statementsIn(chunk);
      counts.statements += found;
      if (found > 0) counts.packets++;
    });
    pass(far, near, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: Object.assign(new URL(database), { hostname: '127.0.0.1', port: String(port) }).href,
    get statements() {
      return counts.statements;
    },
    get packets() {
      return counts.packets;
    },
    close: () => server.close(),
  };
}

/**
 * Counts the statements in a client's stream. The first message has no type; all others start with their type,
 * followed by their length.
 */
function counter(): (chunk: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let hasBegun = false;
  return (chunk) => {
    let statements = 0;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = hasBegun ? 1 : 0;
      if (rest.length < head + 4) return statements;
      const size = head + rest.readUInt32BE(head);
      if (rest.length < size) return statements;
      if (hasBegun && rest[0] === EXECUTE) statements++;
      hasBegun = true;
      rest = rest.subarray(size);
    }
  };
}
