import assert from 'node:assert/strict';
import { after, before, Site, test } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { Stalls } from '../support/stalls.ts';
import { Follower } from '../support/streams.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
/**
 * The longest time that a removed member may get events from a direct message, not counting stalls of the machine.
 */
const NOTICED_MS = 1_000;

let site: Site;
const stalls = new Stalls();
before(async () => {
  site = await Site.open(NODES);
});
after(async () => {
  stalls.stop();
  await site?.close();
});

/** Sends a request under /api/v1 and returns the data of the response. */
async function dataAt(node: number, key: string, method: string, path: string, body?: object): Promise<Json> {
  const answer = await call(site.at(node), method, `/api/v1${path}`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

test('a removed member gets no event from a direct message at any node; the other members get all of them', async () => {
  const [ada, bob, eve] = [await site.mint({}, 0), await site.mint({}, 1), await site.mint({}, 2)];
  const dm = await dataAt(0, ada.key, 'POST', '/conversations', { userIds: [bob.userId] });
  const follow = (key: string) =>
    site.nodes.map((node) => new Follower({ key, way: 'stream', nodeAt: () => node }).start(0));
  const [adas, bobs, eves] = [follow(ada.key), follow(bob.key), follow(eve.key)];
  await until(() => [...adas, ...bobs, ...eves].every(({ begun }) => begun !== undefined));
  const sent: string[] = [];
  const send = async () => {
    const body = { channelId: dm.id, content: `Message ${sent.length}` };
    sent.push((await dataAt(sent.length, ada.key, 'POST', '/messages', body)).id);
  };
  const countOf = ({ seen }: Follower) => seen.filter(({ type }) => type === 'message.created').length;
  for (let count = 0; count < 30; count++) await send();
  await until(() => [...adas, ...bobs].every((follower) => countOf(follower) === 30));

  const members = await dataAt(0, site.key, 'GET', `/servers/${dm.serverId}/members?limit=100`);
  const member = members.find(({ userId }: Json) => userId === bob.userId);
  await dataAt(1, site.key, 'DELETE', `/server-members/${member.id}`);
  const removedAt = performance.now();
  const isOver = () => performance.now() - removedAt - stalls.since(removedAt) > NOTICED_MS + 500;
  while (!isOver()) await send();
  await until(() => adas.every((follower) => countOf(follower) === sent.length));
  for (const follower of bobs) {
    const late = follower.seen.filter(({ channelId, at }) => channelId === dm.id && at > removedAt);
    for (const { at } of late) {
      const ms = at - removedAt - stalls.since(removedAt);
      assert.ok(ms < NOTICED_MS, `an event after ${Math.round(ms)} ms`);
    }
  }
  for (const { seen } of eves) assert.ok(!seen.some(({ channelId }) => channelId === dm.id));

  // A public event reaches the readers that were skipped before, and their cursors continue after it.
  const { id } = await site.make('/channels', { name: 'Open' });
  await until(() => [...adas, ...eves].every(({ seen }) => seen.at(-1)?.type === 'channel.created'), 20_000);
  for (const { faults } of [...adas, ...bobs, ...eves]) assert.deepEqual(faults, []);
  await dataAt(2, site.key, 'DELETE', `/channels/${id}`);
  await Promise.all([...adas, ...bobs, ...eves].map((follower) => follower.stop()));
});
