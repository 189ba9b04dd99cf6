import assert from 'node:assert/strict';
import { dataOf } from './expect.ts';
import { type Records, recordsOf } from './mirror.ts';
import { type Client, type Json, listAll } from './world.ts';

/** A server, and those who look at it: keys of administrators, who see everything. */
export interface Watched {
  server: Json;
  watchers: readonly Client[];
  /** Identifiers of what no list shows: whatever anybody was ever told of. */
  known: Record<'thread' | 'role' | 'app', Set<string>>;
}

/** The resources that can be read. */
const readable = [
  'server',
  'channel',
  'message',
  'thread',
  'pin',
  'role',
  'serverMember',
  'invite',
  'app',
  'appInstall',
  'flow',
  'webhook',
  'notification',
] as const;

/** All that the API shows of a server. */
export async function snapshotOf({ server, watchers, known }: Watched): Promise<Records> {
  const records: Records = new Map();
  const [admin] = watchers as [Client];
  const put = (resource: string, rows: Json[]) => {
    for (const row of rows) recordsOf(records, resource).set(row.id, row);
  };
  const lists = {
    channel: 'channels',
    serverMember: 'members',
    invite: 'invites',
    appInstall: 'app-installs',
    flow: 'flows',
    webhook: 'webhooks',
  };
  put('server', [dataOf(await admin.get(`/servers/${server.id}`))]);
  for (const [resource, path] of Object.entries(lists)) {
    put(resource, await listAll(admin, `/servers/${server.id}/${path}`));
  }
  for (const { id: channelId } of [...recordsOf(records, 'channel').values()]) {
    put('message', await listAll(admin, `/channels/${channelId}/messages`));
    for (const { pin, ...message } of await listAll(admin, `/channels/${channelId}/pins`)) {
      assert.deepEqual(message, recordsOf(records, 'message').get(message.id), 'a pinned message');
      put('pin', [{ ...pin, channelId, messageId: message.id }]);
    }
  }
  for (const { roleIds } of recordsOf(records, 'serverMember').values()) {
    for (const roleId of roleIds) known.role.add(roleId);
  }
  put('role', await those(admin, '/roles/', known.role));
  put('app', await those(admin, '/apps/', known.app));
  put('thread', await threads(admin, records, known.thread));
  for (const watcher of watchers) put('notification', await listAll(watcher, '/notifications'));
  return records;
}

/** Those of the identifiers that are still there. */
async function those(admin: Client, path: string, ids: Iterable<string>, more = ''): Promise<Json[]> {
  const answers = await Promise.all([...ids].map((id) => admin.get(`${path}${id}${more}`)));
  for (const { status } of answers) assert.ok(status === 200 || status === 404);
  return answers.filter(({ status }) => status === 200).map(({ data }) => data);
}

async function threads(admin: Client, records: Records, known: ReadonlySet<string>): Promise<Json[]> {
  const found = await those(admin, '/threads/', known);
  for (const { id, messages, replyCount } of found) {
    const replies = [...recordsOf(records, 'message').values()].filter(({ threadId }) => threadId === id);
    assert.deepEqual(messages, replies.sort(byId), 'the replies of a thread');
    assert.equal(replyCount, replies.length);
  }
  const infos = await those(admin, '/threads/', known, '/info');
  assert.deepEqual(
    infos,
    found.map(({ messages: _messages, nextCursor: _nextCursor, ...info }) => info),
  );
  return infos;
}

const byId = (one: Json, other: Json): number => (one.id < other.id ? -1 : 1);

/** Holds what a follower has made of the events against what the API shows. */
export function assertSame({ server, watchers }: Watched, followed: Records, shown: Records): void {
  const users = new Set(watchers.map(({ secret }) => secret.userId));
  const plain = (records: Records, resource: string): Json[] => {
    const rows = [...recordsOf(records, resource).values()].sort(byId);
    // A page of pins shows a pin in its message.
    if (resource === 'pin') {
      return rows.map(({ id, channelId, messageId, creatorId, createdAt }) => ({
        id,
        channelId,
        messageId,
        creatorId,
        createdAt,
      }));
    }
    // Each sees their own.
    if (resource === 'notification') return rows.filter(({ userId }) => users.has(userId));
    // What becomes of an app of another server is told there.
    if (resource === 'appInstall') {
      return rows.map((row) => (row.app.serverId === server.id ? row : { ...row, app: row.app.id }));
    }
    return rows;
  };
  for (const resource of readable) {
    assert.deepEqual(plain(followed, resource), plain(shown, resource), `${resource} of ${server.name}`);
  }
}
