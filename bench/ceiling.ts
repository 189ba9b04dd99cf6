import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';
import { openDatabase } from '../server/src/db/open.ts';
import { createDeps, timeOfId } from '../server/src/lib/deps.ts';
import { groupCommit } from './groupCommit.ts';

/**
 * The store ceiling: a Fastify server that only stores and reads messages. A send validates the body, inserts
 * one row into the same `message` table with the same indexes, with group commit and `synchronous=FULL`, and
 * returns the record. A page of 50 is one prepared statement whose rows are serialized as JSON. No keys,
 * limits, rules, events or search index.
 */
const folder = process.argv[2] as string;
mkdirSync(folder, { recursive: true });
const file = join(folder, 'ceiling.db');
await (await openDatabase({ file })).close();
const db = new DatabaseSync(file);
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000');

const insert = groupCommit(
  db,
  db.prepare(`insert into message
    (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content, deleted, "editedAt",
     "threadId", "replyToId", pinned, reactions)
    values (?, ?, ?, ?, 'person', ?, 0, ?, ?, 0, null, null, null, 0, '[]')`),
);
const columns =
  '"id","serverId","type","channelId","isThreadReply","creatorId","content","deleted","editedAt","threadId","replyToId","pinned","reactions","createdAt","updatedAt"';
const page = db.prepare(`select ${columns} from message where "channelId" = ? order by id desc limit 50`);
const { newId } = createDeps();
const creatorId = newId();

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const app = fastify();
app.post(
  '/messages',
  {
    schema: {
      body: {
        type: 'object',
        required: ['channelId', 'content', 'serverId'],
        properties: {
          channelId: text,
          content: { type: 'string', minLength: 1, maxLength: 8000 },
          serverId: text,
        },
      },
      response: {
        200: {
          type: 'object',
          properties: {
            ok: { type: 'boolean' },
            data: {
              type: 'object',
              properties: {
                ...{ id: text, serverId: text, type: text, channelId: text, creatorId: text, content: text },
                ...{ isThreadReply: { type: 'boolean' }, deleted: { type: 'boolean' } },
                ...{ createdAt: number, updatedAt: number },
              },
            },
          },
        },
      },
    },
  },
  async (request) => {
    const { channelId, content, serverId } = request.body as Record<
      'channelId' | 'content' | 'serverId',
      string
    >;
    const id = newId();
    const createdAt = timeOfId(id);
    await insert(id, createdAt, createdAt, serverId, channelId, creatorId, content);
    const data = { id, serverId, type: 'person', channelId, isThreadReply: false, creatorId, content };
    return { ok: true, data: { ...data, createdAt, updatedAt: createdAt, deleted: false } };
  },
);
app.get<{ Params: { channelId: string } }>('/channels/:channelId/messages', async (request) => ({
  ok: true,
  data: page.all(request.params.channelId),
}));
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.on('SIGTERM', () => process.exit(0));
