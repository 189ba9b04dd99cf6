import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDeps, timeOfId } from '../server/src/lib/deps.ts';
import { groupCommit } from './groupCommit.ts';

/**
 * The bare store: only `node:http` and SQLite. A send parses the body, inserts one row into one table with one index,
 * with group commit and `synchronous=FULL`, and returns the record. A page of 50 is one prepared statement whose rows
 * are serialized as JSON. No framework, validation, keys, limits, rules, events or search.
 */
const folder = process.argv[2] as string;
mkdirSync(folder, { recursive: true });
const db = new DatabaseSync(join(folder, 'bare.db'));
db.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma cache_size = -8000;
  create table if not exists message (
    id text primary key, "serverId" text, type text, "channelId" text, "isThreadReply" integer, "creatorId" text,
    content text, deleted integer, "editedAt" integer, "threadId" text, "replyToId" text, pinned integer,
    reactions text, "createdAt" integer, "updatedAt" integer
  ) without rowid;
  create index if not exists message_channel on message ("channelId", id);
`);
const columns =
  '"id","serverId","type","channelId","isThreadReply","creatorId","content","deleted","editedAt","threadId","replyToId","pinned","reactions","createdAt","updatedAt"';
const insert = groupCommit(
  db,
  db.prepare(
    `insert into message (${columns}) values (?, ?, 'person', ?, 0, ?, ?, 0, null, null, null, 0, '[]', ?, ?)`,
  ),
);
const page = db.prepare(`select ${columns} from message where "channelId" = ? order by id desc limit 50`);
const { newId } = createDeps();
const creatorId = newId();

function answer(response: ServerResponse, data: unknown): void {
  const text = JSON.stringify({ ok: true, data });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function send(text: string, response: ServerResponse): Promise<void> {
  const { channelId, content, serverId } = JSON.parse(text);
  const id = newId();
  const createdAt = timeOfId(id);
  const data = {
    ...{ id, serverId, type: 'person', channelId, isThreadReply: false, creatorId, content, deleted: false },
    ...{ editedAt: null, threadId: null, replyToId: null, pinned: false, reactions: [] },
    ...{ createdAt, updatedAt: createdAt },
  };
  await insert(id, serverId, channelId, creatorId, content, createdAt, createdAt);
  answer(response, data);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET') {
    answer(response, page.all((request.url as string).split('/')[2] as string));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => send(Buffer.concat(chunks).toString(), response));
}

const server = createServer(handle);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
