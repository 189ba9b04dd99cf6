import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventTypes, triggerKinds } from '../../web/features/flow/editor/values.ts';
import { templates } from '../../web/features/flow/new/templates.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

// The templates that the web client offers for new flows, sent to a server.

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(() => world?.close());

/** Creates the events that start the flows: a new member, messages that match the templates, and a reaction. */
async function happen(channelId: string, otherChannelId: string): Promise<void> {
  await world.member(scene.server, await world.user());
  for (const content of ['Who has the key?', 'The harbour, please #approve'])
    await scene.make('/messages', { channelId, content });
  const { id: messageId } = await scene.make('/messages', {
    channelId: otherChannelId,
    content: 'ALERT: fire',
  });
  await scene.make('/reactions', { messageId, emoji: '👀' });
}

test('the server accepts every template, and a dry run of it succeeds', async () => {
  const { id: channelId } = await scene.channel();
  const { id: otherChannelId } = await scene.channel();
  const { username } = scene.owner;
  const context = { channelId, otherChannelId, username, timeZone: 'Europe/Berlin' };
  assert.equal(templates.length, 10);
  const flows = new Map<string, Json>();
  for (const { id, fields } of templates)
    flows.set(id, dataOf(await scene.admin.post('/flows', { ...fields(context), enabled: false })));
  await happen(channelId, otherChannelId);
  for (const [id, flow] of flows) {
    const { tries } = dataOf(await scene.admin.post(`/flows/${flow.id}/try`, {}));
    const matching = tries.filter(({ matches }: Json) => matches);
    assert.ok(matching.length > 0, id);
    const { steps, error } = matching[0];
    // Trying a flow sends no request, so the digest has no list.
    if (id === 'digest') assert.equal(steps[0].status, 'skipped');
    else assert.deepEqual([error, steps.some(({ status }: Json) => status === 'failed')], [null, false], id);
    assert.ok(steps.length > 0, id);
  }
});

test('every event type in the form can start a flow', async () => {
  for (const type of eventTypes)
    dataOf(
      await scene.admin.post('/flows', {
        ...{ name: type, enabled: false, steps: [], trigger: { on: 'event', type } },
      }),
    );
});

test('every trigger type of the server has a form', async () => {
  const { body } = await scene.admin.post('/flows', { name: 'other', steps: [], trigger: { on: 'other' } });
  const [, names = ''] = /The triggers are (.*)$/.exec(body.error.details[0].message) ?? [];
  assert.deepEqual(names.split(', ').toSorted(), triggerKinds.toSorted());
});
