import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { makeFlow, runsOf, runsWith } from '../support/flows.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(() => world.close());

async function join(): Promise<{ user: Json; api: Browser['api'] }> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, api: (await Browser.of(world, user, scene.server)).api };
}

test("events from a direct message start a flow only if the flow's agent is a member", async () => {
  const [ada, bob] = [await join(), await join()];
  const where = { path: 'event.data.content', startsWith: 'ping' };
  const flow = await makeFlow(scene, { on: 'event', type: 'message.created', where }, [
    {
      name: 'answer',
      do: 'message.send',
      channelId: '{{event.data.channelId}}',
      content: 'pong {{event.data.content}}',
    },
  ]);
  const open = async (...userIds: string[]) =>
    dataOf(await ada.api.post('/conversations', { userIds })).id as string;
  const without = [await open(bob.user.id), await open(bob.user.id, scene.owner.id)];
  const within = [await open(flow.userId), await open(bob.user.id, flow.userId)];
  const send = async (channelId: string) =>
    dataOf(await ada.api.post('/messages', { channelId, content: 'ping secretly' }));
  for (const channelId of [...without, ...within]) await send(channelId);
  // Events are read in order, so all earlier events were read before this event starts a run.
  const { id: last } = await scene.channel();
  dataOf(await scene.admin.post('/messages', { channelId: last, content: 'ping openly' }));
  await runsWith(scene, flow.id, 'done', within.length + 1);
  assert.equal((await runsOf(scene, flow.id)).length, within.length + 1);
  for (const [channelId, expected] of [
    ...without.map((id) => [id, ['ping secretly']] as const),
    ...within.map((id) => [id, ['ping secretly', 'pong ping secretly']] as const),
  ]) {
    const shown: Json[] = dataOf(await ada.api.get(`/channels/${channelId}/messages?order=asc`));
    assert.deepEqual(
      shown.map(({ content }) => content),
      expected,
    );
  }
  // The flow's creator is not a member of the direct message.
  const runs = await runsWith(scene, flow.id, 'done', within.length + 1);
  assert.doesNotMatch(JSON.stringify(runs), /secretly/);
  assert.match(JSON.stringify(runs), /openly/);
});
