import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Clients of event streams, in a process of their own: `crowd.ts ADDRESS AMOUNT FILE [PATH TYPE]`, with the headers of a credential
 * in each line of the file, as a JSON object. Connects them to the path of a stream, with the lines in turn, and prints `ready`.
 * Posts each body that standard input gives, as lines of `PATH BODY`, with the first line, and prints as JSON the milliseconds
 * until the median client and the last one had read an event of the type, or anything if no type is given, and the bytes that
 * the first one read. At `revoke INDEX SECRET KEY`, it revokes the key of a client, and prints
 * the milliseconds until its stream had ended.
 */
const [address = '', amount = '', file = '', stream = '/api/v1/events', type = ''] = process.argv.slice(2);
const credentials = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, string>);
const { hostname, port, host } = new URL(address);
const CONNECTS_AT_ONCE = 100;

const sockets: Socket[] = [];
/** The client whose stream may end. */
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

/** The end of what each client has read last: a type may come in two parts. */
const ends = new WeakMap<Socket, Buffer>();

/** True if an event of the type has come. */
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
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
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
  if (answer.status !== 200) throw new Error(`a revocation answered ${answer.status}`);
  return Math.max(0, (await ended) - revoked);
}

for await (const line of createInterface({ input: process.stdin })) {
  const [path = '', ...rest] = line.split(' ');
  const [index = '', secretId = '', key = ''] = rest;
  const done =
    path === 'revoke' ? await revoke(Number(index), secretId, key) : await shoot(path, rest.join(' '));
  process.stdout.write(`${JSON.stringify(done)}\n`);
}
