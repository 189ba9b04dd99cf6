import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zipped } from '../support/archives.ts';
import { exportOf, grace, moving } from '../support/moving.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import { insert } from '../support/sources.ts';
import { uploadPart } from '../support/uploads.ts';
import { type Json, World } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

/** Number of messages: enough that nodes can be killed in the middle of the import. */
const MESSAGES = 16_000;
const KILLS = 2;
const API = '/api/people/platform/imports';

/** A Slack export with one channel. */
function slackOf(messages: number): Buffer {
  const users = ['U1', 'U2'].map((id) => ({ id, name: id.toLowerCase(), profile: { real_name: id } }));
  const day = Array.from({ length: messages }, (_, index) => ({
    ...{ type: 'message', user: index % 2 ? 'U1' : 'U2', text: `history ${index}` },
    ts: `${1_700_000_000 + index}.000100`,
    ...(index % 10 === 0 && { reactions: [{ name: 'thumbsup', users: ['U1', 'U2'], count: 2 }] }),
  }));
  return zipped({
    'users.json': JSON.stringify(users),
    'channels.json': JSON.stringify([
      { id: 'C1', name: 'harbour', created: 1_699_999_999, creator: 'U1', members: ['U1', 'U2'] },
    ]),
    'harbour/2023-11-14.json': JSON.stringify(day),
  });
}

async function uploaded(node: Running, serverId: string, archive: Buffer): Promise<string> {
  const { key } = node;
  const body = { source: 'slack', serverId, bytes: archive.length };
  const { id } = (await call(node, 'POST', API, { key, body })).body.data;
  await uploadPart(node, node, id, archive);
  return id;
}

test('an import continues on another node when its node is killed, and completes once', async () => {
  const folder = stage.folder();
  let node = await stage.start(folder);
  const { key, channelId } = node;
  const from = (path: string): Promise<Json> => call(node, 'GET', path, { key }).then(({ body }) => body);
  const { serverId } = (await from(`/api/v1/channels/${channelId}`)).data;
  const { nextCursor } = await from('/api/v1/events?wait=0');
  const id = await uploaded(node, serverId, slackOf(MESSAGES));
  await call(node, 'POST', `${API}/${id}/start`, { key, body: {} });
  let found: Json = {};
  const look = async () => {
    found = (await from(`${API}/${id}`)).data;
  };
  for (let kills = 1; kills <= KILLS; kills++) {
    await until(
      async () => {
        await look();
        return found.state !== 'running' || (found.planned !== null && found.rows > kills * 1_000);
      },
      60_000,
      10,
    );
    assert.equal(found.state, 'running', 'killed in the middle');
    await node.end('SIGKILL');
    node = await stage.start(folder);
  }
  await until(async () => {
    await look();
    return found.state !== 'running';
  }, 180_000);
  assert.deepEqual([found.state, found.asPlanned], ['done', true], found.failure);
  assert.deepEqual([found.report.messages.written, found.report.messages.present], [MESSAGES, 0]);
  const { data: events } = await from(`/api/v1/events?wait=0&limit=100&cursor=${nextCursor}`);
  const finished = events.filter(({ type }: Json) => type === 'import.finished');
  assert.deepEqual(
    finished.map(({ data }: Json) => data.messages),
    [MESSAGES],
  );
});

test('an import that was killed after its last row is completed by the next one', async () => {
  const world = await World.open();
  try {
    const server = await world.server(await world.user());
    const admin = await world.client(server, ['canAdmin']);
    const path = exportOf(join(stage.folder(), 'export'), { people: [grace] });
    const args = ['import', path, '--from', 'palaver', '--server', server.id] as const;
    const finished = async () => {
      const { data } = (await admin.get('/events?wait=0&limit=100')).body;
      return data.filter(({ type }: Json) => type === 'import.finished').map((event: Json) => event.data);
    };
    assert.equal((await moving(stage, world, ...args)).code, 0);
    assert.equal((await moving(stage, world, ...args)).code, 0);
    const messages = (await finished()).map((data: Json) => data.messages);
    assert.deepEqual(messages, [0], 'nothing was added the second time');
    const killed = { id: server.id, serverId: server.id, messages: 5 };
    await world.data.db.write((tx) => tx.run(insert('unfinishedImport', killed)));
    assert.equal((await moving(stage, world, ...args)).code, 0);
    assert.deepEqual(
      (await finished()).map((data: Json) => data.messages),
      [0, 5],
    );
  } finally {
    await world.close();
  }
});
