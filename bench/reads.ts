import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSessionToken } from '../server/src/access/credentials/session.ts';
import { digestOf } from '../server/src/access/credentials/token.ts';
import { createDeps, FIRST_ID } from '../server/src/lib/deps.ts';
import { openData } from '../server/src/node/data.ts';
import { ask } from '../test/support/databases.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgresServer.ts';
import { type Made, makeServer } from './made.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { keep, machine, percentile, quick, say } from './report.ts';
import { seedMessages } from './seed.ts';

/** The maximum time that a read by a single client may take, in milliseconds. */
const GOAL_MS = 50;
const SAMPLES = quick ? 20 : 100;
/** The numbers of messages. There are a thousandth as many channels and roles, and a hundredth as many members. */
const SCALES = quick ? [10_000, 50_000] : [10_000, 1_000_000];

/** A read: its name and path. With `people`, the path is below `/api/people`, and a session is used. */
interface Read {
  name: string;
  path: string;
  people?: true;
}

/** Times in milliseconds. */
interface Times {
  /** The node's average CPU time per request. */
  cpu: number;
  p50: number;
  p99: number;
}

const headersOf = ({ key }: Made) => ({ authorization: `Bearer ${key}` });

/** The session used for people's reads. */
const session = newSessionToken((size) => randomBytes(size));

/** Adds channels, roles and members to the server, directly in the tables. Every second channel is private. */
function seedOthers(file: string, { user, large }: Made, messages: number): { roleId: string } {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; begin immediate');
  const { newId } = createDeps();
  const { serverId } = large;
  const row = 'id, "createdAt", "updatedAt"';
  const role = db.prepare(
    `insert into role (${row}, "serverId", name, "isDefault", "isCreatorRole", "canAdmin", "canEditChannel", "canEditServer",
      "canEditData", "canModerate", "canEditApp", "canViewData") values (?, 1, 1, ?, ?, 0, 0, 0, 0, 0, 1, 0, 0, 1)`,
  );
  const channel = db.prepare(
    `insert into channel (${row}, "serverId", name, "nameKey", private, readonly, position, "creatorId", "roleIds")
      values (?, 1, 1, ?, ?, ?, ?, 0, ?, ?, ?)`,
  );
  const roleIds: string[] = [];
  for (let index = 0; index < messages / 1_000; index++) {
    const roleId = newId();
    roleIds.push(roleId);
    role.run(roleId, serverId, `role ${index}`);
    const name = `channel ${index}`;
    const listed = JSON.stringify(roleIds.slice(-100));
    channel.run(newId(), serverId, name, name, index % 2, index, user.id, listed);
  }
  const person = db.prepare(
    `insert into "user" (${row}, username, name, type, "platformAdmin") values (?, 1, 1, ?, ?, 'person', 0)`,
  );
  const member = db.prepare(
    `insert into "serverMember" (${row}, "serverId", "userId") values (?, 1, 1, ?, ?)`,
  );
  const holder = db.prepare(
    `insert into "userRole" (${row}, "serverId", "userId", "roleId") values (?, 1, 1, ?, ?, ?)`,
  );
  for (let index = 0; index < messages / 100; index++) {
    const userId = newId();
    person.run(userId, `person${index}`, `Person ${index}`);
    member.run(newId(), serverId, userId);
    holder.run(newId(), serverId, userId, roleIds[0] as string);
  }
  db.prepare(
    `insert into session (${row}, "userId", digest, "expiresAt", "provenAt", "lastUsedAt") values (?, 1, 1, ?, ?, ?, 1, ?)`,
  ).run(newId(), user.id, digestOf(session), Number.MAX_SAFE_INTEGER, Date.now());
  db.exec('commit');
  db.close();
  return { roleId: roleIds[0] as string };
}

/** The reads whose cost may depend on the amount of data. */
function readsOf({ user, large, small, busy }: Made, roleId: string): Read[] {
  const { serverId } = large;
  const messages = `/channels/${large.id}/messages`;
  const search = (name: string, q: string, more = ''): Read => ({
    name: `search: ${name}`,
    path: `${messages}?q=${encodeURIComponent(q)}${more}`,
  });
  return [
    { name: 'page of 50 messages', path: messages },
    { name: 'page of 100 messages', path: `${messages}?limit=100` },
    { name: 'page, oldest first', path: `${messages}?order=asc` },
    { name: "page of one author's messages", path: `${messages}?creatorId=${user.id}` },
    { name: 'page of a message type without messages', path: `${messages}?type=system` },
    search('a word in every other message', 'the'),
    search('a one-letter prefix', 't'),
    search('a one-letter prefix, oldest first', 't', '&order=asc'),
    search('32 one-letter prefixes', [...'thqubrfojlawsdpcie'].join(' ')),
    search('a rare word', 'needle'),
    search('a word without matches', 'haystack'),
    search('a phrase', '"fox jumps"'),
    search('a phrase without matches', '"jumps the fox"'),
    search('a word, in a message type without messages', 'the', '&type=system'),
    { name: 'search in a small channel', path: `/channels/${small.id}/messages?q=t` },
    ...['t', 'needle', 'haystack'].map((word) => ({
      name: `search: "${word}", in all channels`,
      path: `/servers/${serverId}/messages?q=${word}`,
    })),
    { name: 'search in an empty channel', path: `/channels/${busy.id}/messages?q=t` },
    { name: 'snapshot of a server', path: `/servers/${serverId}/snapshot`, people: true },
    { name: 'view of a channel', path: `/channels/${large.id}/view`, people: true },
    { name: 'view, 100 messages', path: `/channels/${large.id}/view?limit=100`, people: true },
    {
      name: 'view around an old message',
      path: `/channels/${large.id}/view?around=${FIRST_ID}`,
      people: true,
    },
    { name: 'page of events from all servers', path: '/events', people: true },
    { name: 'pins', path: `/channels/${large.id}/pins` },
    { name: 'channels', path: `/servers/${serverId}/channels?limit=100` },
    { name: 'members', path: `/servers/${serverId}/members?limit=100` },
    { name: 'members matching a one-letter prefix', path: `/servers/${serverId}/members?limit=100&q=p` },
    { name: 'role', path: `/roles/${roleId}` },
    { name: 'servers', path: '/servers' },
    { name: 'servers to join', path: '/servers/joinable?q=b' },
    { name: 'invites', path: `/servers/${serverId}/invites` },
    { name: 'notifications', path: '/notifications' },
    { name: 'events', path: '/events?limit=100' },
    { name: 'events, filtered by a type without events', path: '/events?types=flow.*' },
  ];
}

/** Copies a folder's data into a new database, as when an operator migrates to PostgreSQL. */
async function moveTo(server: PostgresServer, folder: string): Promise<string> {
  const database = await server.createDatabase();
  const program = join(import.meta.dirname, '..', 'server', 'bin', 'palaver.js');
  execFileSync(process.execPath, [program, 'migrate', '--from', folder, '--to', database], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await ask(database, 'vacuum analyze');
  return database;
}

/** Measures each read on new data, in a database on `server` or on the embedded engine. */
async function measure(messages: number, server: PostgresServer | undefined): Promise<Map<string, Times>> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  try {
    const data = await openData({ data: folder });
    const made = await makeServer(data);
    await data.db.close();
    const file = join(folder, 'palaver.db');
    const from = performance.now();
    const { roleId } = seedOthers(file, made, messages);
    seedMessages(file, made.small, made.user.id, 100);
    seedMessages(file, made.large, made.user.id, messages);
    const database = server && (await moveTo(server, folder));
    say(`${messages.toLocaleString('en')} messages in ${((performance.now() - from) / 1000).toFixed(0)} s`);
    const palaver = await startOnServerCore(
      'server/src/main.ts',
      ['start', '--data', folder, '--port', '0'],
      { PALAVER_LIMITS: '{"*":0}', ...(database && { DATABASE_URL: database }) },
    );
    try {
      return await timesOf(palaver, made, readsOf(made, roleId), server === undefined);
    } finally {
      await palaver.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures each read. With `isIndexedLater`, searches are measured before and after indexing. */
async function timesOf(
  palaver: Running,
  made: Made,
  reads: Read[],
  isIndexedLater: boolean,
): Promise<Map<string, Times>> {
  const times = new Map<string, Times>();
  const headers = headersOf(made);
  const ofPerson = { cookie: `palaver=${session}`, 'palaver-server': made.large.serverId };
  const timed = async ({ name, path, people }: Read): Promise<number> => {
    const started = performance.now();
    const url = `${palaver.url}${people ? '/api/people' : '/api/v1'}${path}`;
    const answer = await fetch(url, { headers: people ? ofPerson : headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
    return performance.now() - started;
  };
  const sample = async (read: Read, prefix = '') => {
    const found: number[] = [];
    const before = palaver.cpu();
    for (let index = 0; index < SAMPLES; index++) found.push(await timed(read));
    const cpu = ((palaver.cpu() - before) * 1_000) / SAMPLES;
    const p50 = percentile(found, 0.5);
    const p99 = percentile(found, 0.99);
    times.set(prefix + read.name, { cpu, p50, p99 });
    say(
      `${cpu.toFixed(1).padStart(8)} ${p50.toFixed(1).padStart(8)} ${p99.toFixed(1).padStart(8)}  ${prefix}${read.name}`,
    );
  };
  if (isIndexedLater) {
    for (const read of reads) if (read.name.startsWith('search')) await sample(read, 'not indexed yet: ');
    const before = performance.now();
    const newest = `${palaver.url}/api/v1/channels/${made.large.id}/messages?q=haystack`;
    while ((await linkOf(newest, headers)) && performance.now() - before < 300_000) await sleep(500);
    say(`indexed after ${((performance.now() - before) / 1000).toFixed(0)} s`);
  }
  for (const read of reads) await sample(read);
  return times;
}

/** The link to the next page of a list, or null if there is none. */
async function linkOf(url: string, headers: Record<string, string>): Promise<string | null> {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return answer.headers.get('link');
}

/** Measures each read with a small and a large amount of data. A full run saves the table. */
export async function measureReads(isOnPostgres: boolean): Promise<void> {
  const server = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
  try {
    await compare(server);
  } finally {
    await server?.close();
  }
}

async function compare(server: PostgresServer | undefined): Promise<void> {
  const [few, many] = SCALES as [number, number];
  const load = loadavg()[0]?.toFixed(1);
  const small = await measure(few, server);
  const large = await measure(many, server);
  const lines = [...large].map(([name, { cpu, p50, p99 }]) => {
    const before = small.get(name) as Times;
    const times = [before.p99, p50, p99, cpu].map((ms) => ms.toFixed(1)).join(' | ');
    return `| ${name} | ${times} | ${p99 <= GOAL_MS ? 'met' : 'missed'} |`;
  });
  keep(`Reads, ${server ? 'PostgreSQL' : 'SQLite'}`, [
    `${machine}: ${SAMPLES} requests each, one after another, in ms; node CPU per request. Load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. Goal: p99 ≤ ${GOAL_MS} ms with ${many.toLocaleString('en')} messages.`,
    '',
    `| Read | p99 with ${few.toLocaleString('en')} | p50 with ${many.toLocaleString('en')} | p99 | CPU | |`,
    '|---|---|---|---|---|---|',
    ...lines,
  ]);
}
