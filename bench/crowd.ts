import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Clients of event streams, in a process of their own: `crowd.ts ADDRESS AMOUNT KEY`. Connects them and prints `ready`.
 * Posts each body that standard input gives, as lines of `PATH BODY`, and prints as JSON the milliseconds until the
 * median client and the last one had read something, and the bytes that the first one read.
 */
const [address = '', amount = '', key = ''] = process.argv.slice(2);
const { hostname, port, host } = new URL(address);
const CONNECTS_AT_ONCE = 100;
const head = `Host: ${host}\r\nAuthorization: Bearer ${key}\r\n`;

const sockets: Socket[] = [];
let heard = (_socket: Socket, _bytes: Buffer): void => {};

async function join(): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`GET /api/v1/events HTTP/1.1\r\n${head}Accept: text/event-stream\r\n\r\n`);
  const [first] = await once(socket, 'data');
  if (!String(first).startsWith('HTTP/1.1 200')) throw new Error(String(first));
  socket.on('data', (bytes) => heard(socket, bytes as Buffer));
  socket.on('close', () => {
    throw new Error('a stream was closed');
  });
  sockets.push(socket);
}

while (sockets.length < Number(amount)) {
  await Promise.all(Array.from({ length: CONNECTS_AT_ONCE }, join));
}
process.stdout.write('ready\n');

async function shoot(path: string, body: string) {
  const waiting = new Set(sockets);
  const times: number[] = [];
  let bytes = 0;
  const all = Promise.withResolvers<void>();
  const start = performance.now();
  heard = (socket, read) => {
    if (!waiting.delete(socket)) return;
    bytes ||= read.length;
    times.push(performance.now() - start);
    if (waiting.size === 0) all.resolve();
  };
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  await all.promise;
  return { median: times[times.length >> 1], last: times.at(-1), bytes };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [path = '', ...rest] = line.split(' ');
  process.stdout.write(`${JSON.stringify(await shoot(path, rest.join(' ')))}\n`);
}
