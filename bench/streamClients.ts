import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Clients of event streams, in their own process: `streamClients.ts ADDRESS AMOUNT FILE [PATH TYPE]`. Each
 * line of the file contains the headers of a credential, as a JSON object. The process cycles through these
 * credentials to connect to the stream's path, and prints `ready`. For each line `PATH BODY` on standard
 * input, it posts the body with the first credential. It then prints, as JSON, the milliseconds until the
 * median client and the last client received an event of the type (or any data, if no type is given), and the
 * number of bytes that the first client received. For a line `revoke INDEX SECRET KEY`, it revokes the key of
 * a client, and prints the milliseconds until that client's stream ended.
 */
const [address = '', amount = '', file = '', stream = '/api/v1/events', type = ''] = process.argv.slice(2);
const credentials = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, string>);
const { hostname, port, host } = new URL(address);
const CONNECTS_AT_ONCE = 100;

const sockets: Socket[] = [];
/** The client whose key is being revoked. */
let leaving: Socket | undefined;
let heard = (_socket: Socket, _bytes: Buffer): void => {};

async function join(index: number): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port) });
  const given = { host, ...credentials[index % credentials.length], accept: 'text/event-stream' };
  const head = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${stream} HTTP/1.1\r\n${head.join('')}\r\n`);
  const [first] = await once(socket, 'data');
  if (!String(first).startsWith('HTTP/1.1 200')) throw new Error(String(first));
  socket.on('data', (bytes) => heard(socket, bytes as Buffer));
  socket.on('close', () => {
    if (socket !== leaving) throw new Error('a stream was closed');
  });
  sockets[index] = socket;
}

while (sockets.length < Number(amount)) {
  const first = sockets.length;
  await Promise.all(Array.from({ length: CONNECTS_AT_ONCE }, (_, place) => join(first + place)));
}
process.stdout.write('ready\n');

/** The end of each client's last chunk, because an event type may be split over two chunks. */
const ends = new WeakMap<Socket, Buffer>();

/** True if an event of this type has been received. */
function hasType(socket: Socket, read: Buffer): boolean {
  if (type === '') return true;
  const before = ends.get(socket);
  const all = before ? Buffer.concat([before, read]) : read;
  ends.set(socket, all.subarray(1 - type.length));
  return all.includes(type);
}

async function shoot(path: string, body: string) {
  const waiting = new Set(sockets);
  const times: number[] = [];
  let bytes = 0;
  const all = Promise.withResolvers<void>();
  const start = performance.now();
  heard = (socket, read) => {
    if (!waiting.has(socket) || !hasType(socket, read)) return;
    waiting.delete(socket);
    bytes ||= read.length;
    times.push(performance.now() - start);
    if (waiting.size === 0) all.resolve();
  };
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { ...credentials[0], 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}`);
  await all.promise;
  return { median: times[times.length >> 1], last: times.at(-1), bytes };
}

async function revoke(index: number, secretId: string, key: string): Promise<number> {
  const socket = sockets[index] as Socket;
  leaving = socket;
  const ended = once(socket, 'close').then(() => performance.now());
  const answer = await fetch(`${address}/api/v1/secrets/${secretId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  });
  const revoked = performance.now();
  if (answer.status !== 200) throw new Error(`a revocation returned ${answer.status}`);
  return Math.max(0, (await ended) - revoked);
}

for await (const line of createInterface({ input: process.stdin })) {
  const [path = '', ...rest] = line.split(' ');
  const [index = '', secretId = '', key = ''] = rest;
  const done =
    path === 'revoke' ? await revoke(Number(index), secretId, key) : await shoot(path, rest.join(' '));
  process.stdout.write(`${JSON.stringify(done)}\n`);
}
