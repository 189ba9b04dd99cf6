import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations, pathOf, requestOf } from '../rows/index.ts';
import { dataOf } from './expect.ts';
import type { Scene } from './scene.ts';
import { addSession, change, insert } from './sources.ts';
import { plainBytes, upload } from './uploads.ts';
import type { Json, World } from './world.ts';

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
 * All operations for keys, all reads for people, and the writes for people that change little. The server's owner calls
 * them; a platform admin calls those for the platform. Their records are in `channel`.
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

  const archive = { source: 'slack', serverId: server.id, bytes: 10 };
  const imports = `${world.url}/api/people/platform/imports`;
  const imported = dataOf(await world.request('POST', imports, { body: archive, headers: asOperator }));
  const ids: Json = {
    exports: await exported(world, owner),
    ...(await kept(scene, channelId)),
    users: owner.id,
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
      if (method !== 'get' && !body) continue;
      const query = name === 'presences' ? `?userIds=${operator.id}` : '';
      const asked = {
        method: method.toUpperCase(),
        path: path.replace(/([a-z-]+)\/\{\w+\}/g, (_, noun) => `${noun}/${ids[noun]}`) + query,
        // An export of the owner may be running, and each person can run one at a time.
        headers: path.includes('/platform/') || name === 'personExport' ? asOperator : asOwner,
        ...(body && { body }),
      };
      made.push({ name, ready: async () => asked });
    }
  }
  return made;
}

/** Adds a complete export of a person's data. Returns its id. */
async function exported(world: World, { id: userId }: Json): Promise<string> {
  const id = randomUUID();
  const bytes = plainBytes();
  const path = join(world.folder, id);
  await writeFile(path, bytes);
  await (await world.data.files.store).put(id, path, bytes.length);
  const times = { createdAt: Date.now(), updatedAt: 1 };
  const done = { state: 'done', failure: null, messages: 0, bytes: bytes.length } as const;
  await world.data.db.write((tx) => tx.run(insert('personExport', { id, userId, ...times, ...done })));
  return id;
}

/** Deletes a message with a file under a hold on its author. Returns the ids of the hold and the file. */
async function kept(scene: Scene, channelId: string): Promise<{ holds: string; files: string }> {
  const { world, server } = scene;
  const user = await world.user();
  const author = await world.client(server, ['canEditData'], user);
  const of = { serverId: server.id as string, userId: user.id as string, channelId: null, creatorId: null };
  const times = { createdAt: 1, updatedAt: 1, until: null, endedAt: null, releasedAt: null };
  const hold = { id: randomUUID(), ...of, ...times, reason: 'Case 4711' };
  await world.data.db.write((tx) => tx.run(insert('hold', hold)));
  const { id: fileId } = dataOf(await upload(world, author));
  const body = { channelId, content: 'Evidence', attachmentIds: [fileId] };
  const message = await scene.make('/messages', body, author);
  await scene.remove(`/messages/${message.id}`);
  return { holds: hold.id, files: fileId };
}
