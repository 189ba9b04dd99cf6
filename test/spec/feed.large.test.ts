import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

// 32,000 bytes: events with more than 16 KB are read one at a time.
const large = (character: string) => character.repeat(8_000);

test('events about messages with large texts contain the whole text, also next to small ones', async () => {
  const start = await scene.cursor();
  const messages = [];
  for (const content of ['small', large('🎉'), large('🎈'), 'small, too'])
    messages.push(await scene.message({ content }));
  const [, first, second] = messages;
  const edited = dataOf(await scene.admin.patch(`/messages/${first?.id}`, { content: large('🎊') }));
  dataOf(await scene.admin.delete(`/messages/${second?.id}`));

  const events = dataOf(await scene.admin.get(`/events?after=${start}&limit=100`));
  const ofMessages = events.filter(({ type }: { type: string }) => type.startsWith('message.'));
  const contents = ofMessages.map(({ type, data }: { type: string; data: { content?: string } }) => [
    type,
    data.content,
  ]);
  assert.deepEqual(contents, [
    ['message.created', 'small'],
    // An admin also sees the text before an edit.
    ['message.created', large('🎉')],
    ['message.created', ''],
    ['message.created', 'small, too'],
    ['message.updated', large('🎊')],
    ['message.deleted', ''],
  ]);
  assert.equal(edited.content, large('🎊'));
});
