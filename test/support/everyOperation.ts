import { randomUUID } from 'node:crypto';
import { operations, pathOf, requestOf } from '../rows/index.ts';
import { dataOf } from './expect.ts';
import type { Scene } from './scene.ts';
import { addSession, change, insert } from './sources.ts';
import type { Json } from './world.ts';

/** A request to an operation; its path starts with `/api`. */
export interface Asked {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
}

/** An operation. `ready` creates the records that a request needs, and returns the request. */
export interface Operation {
  name: string;
  ready(): Promise<Asked>;
}

/**
 * Reads for people that are left out: exports have their own limits, and the other reads would need an id.
 */
const leftOut = new Set(['personExport', 'personExportContent', 'platformUserById', 'platformHoldFile']);

/**
 * All operations for keys, and those operations for people that read or change little, called as the owner of the
 * scene's server. Their records are in `channel`.
 */
export async function everyOperation(scene: Scene, channel: Json): Promise<Operation[]> {
  const { admin } = scene;
  const inChannel = scene.with({ place: channel });
  return [
    ...operations.map(
      (row): Operation => ({
        name: row.name,
        async ready() {
          // The rows for channels would change or delete this channel.
          const { id, body } = await requestOf(row, row.noun.name === 'channel' ? scene : inChannel);
          const headers = { authorization: `Bearer ${admin.key}` };
          return {
            method: row.method,
            path: `/api/v1${pathOf(row, id)}`,
            headers,
            ...(body && { body }),
          };
        },
      }),
    ),
    ...(await operationsOfPeople(inChannel, channel.id)),
  ];
}

async function operationsOfPeople(scene: Scene, channelId: string): Promise<Operation[]> {
  const { world, server, owner, admin } = scene;
  const thread = await scene.thread({ channelId });
  const message = await scene.message({ channelId });
  dataOf(await admin.patch(`/messages/${message.id}`, { content: 'edited' }));
  const operator = await world.user({ platformAdmin: true });
  await world.member(server, operator);
  const headersOf = async ({ id: userId }: Json) => {
    const { token } = await change(world.data, (work) => addSession(work, { userId, device: null }));
    return { cookie: `palaver=${token}`, 'palaver-server': server.id as string };
  };
  const [asOwner, asOperator] = [await headersOf(owner), await headersOf(operator)];

  const times = { createdAt: 1, updatedAt: 1, until: 1, endedAt: null, releasedAt: null };
  const hold = {
    id: randomUUID(),
    serverId: server.id as string,
    userId: null,
    channelId: null,
    creatorId: null,
  };
  await world.data.db.write((tx) => tx.run(insert('hold', { ...hold, ...times, reason: 'Case 4711' })));
  const archive = { source: 'slack', serverId: server.id, bytes: 10 };
  const imports = `${world.url}/api/people/platform/imports`;
  const imported = dataOf(await world.request('POST', imports, { body: archive, headers: asOperator }));
  const exported = { id: randomUUID(), createdAt: Date.now(), updatedAt: 1, userId: owner.id as string };
  const failed = { state: 'failed', failure: 'too_late', messages: 0, bytes: null } as const;
  await world.data.db.write((tx) => tx.run(insert('personExport', { ...exported, ...failed })));
  const ids: Json = {
    exports: exported.id,
    holds: hold.id,
    imports: imported.id,
    servers: server.id,
    threads: thread.id,
    messages: message.id,
    channels: channelId,
  };
  const place = { channelId, messageId: message.id };
  const writes: Record<string, object> = {
    personRead: { marks: [place] },
    personUnread: place,
    personReadAll: {},
    personChannel: { channelId, favorite: true },
    personLevel: { channelId, level: 'all' },
    threadFollow: { following: true },
    draftSave: { channelId, content: 'A thought' },
    presenceSave: { status: 'idle', text: 'At sea' },
    notificationsRead: {},
    personTicketInsert: {},
    personUpdate: { name: 'Ada' },
  };
  const document: Json = (await world.request('GET', `${world.url}/openapi.json`)).body;
  const made: Operation[] = [];
  for (const [path, item] of Object.entries<Json>(document.paths)) {
    if (!path.startsWith('/api/people/')) continue;
    for (const [method, { operationId: name }] of Object.entries<Json>(item)) {
      const body = writes[name];
      if (leftOut.has(name) || (method !== 'get' && !body)) continue;
      const query = name === 'presences' ? `?userIds=${operator.id}` : '';
      const asked = {
        method: method.toUpperCase(),
        path: path.replace(/([a-z-]+)\/\{\w+\}/g, (_, noun) => `${noun}/${ids[noun]}`) + query,
        headers: path.includes('/platform/') ? asOperator : asOwner,
        ...(body && { body }),
      };
      made.push({ name, ready: async () => asked });
    }
  }
  return made;
}
