import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

// A message notifies exactly the users that readers see mentioned. test/web/text/mentions.test.ts has all forms of a
// mention.

let world: World;
let scene: Scene;
let channelId: string;
before(async () => {
  world = await World.open({ clock: new TestClock(), limits: { '*': 0 } });
  scene = await Scene.open(world);
  ({ id: channelId } = await scene.channel());
});
after(() => world.close());

const member = async (username: string): Promise<Client> => {
  const user = await world.user({ username });
  return world.client(scene.server, ['canEditData'], user);
};
const isTold = async (client: Client, { id }: Json): Promise<boolean> => {
  const { data } = await client.get('/notifications?limit=100');
  return data.some(({ messageId }: Json) => messageId === id);
};

test('a message notifies the users it displays as mentioned', async () => {
  const ada = await member('ada');
  for (const [content, isMention] of [
    ['hi **@ada**', true],
    ['你好@Ada。', true],
    ['`@ada`', false],
    ['```\n@ada\n```', false],
    ['\\@ada', false],
    ['[@ada](https://example.com)', false],
    ['write to me@ada.example or @ada@example.com', false],
  ] as const) {
    const message = await scene.message({ channelId, content });
    assert.equal(await isTold(ada, message), isMention, content);
  }
});

test('a name with a trailing dot refers to a member with that name, if there is one', async () => {
  const [eve, dotted] = [await member('eve'), await member('eve.')];
  const message = await scene.message({ channelId, content: 'thanks @eve.' });
  assert.deepEqual([await isTold(eve, message), await isTold(dotted, message)], [false, true]);
  const plain = await scene.message({ channelId, content: 'thanks @eve...' });
  assert.deepEqual([await isTold(eve, plain), await isTold(dotted, plain)], [true, false]);
});

test('only names of members are mentions', async () => {
  const joe = await member('joe');
  await world.user({ username: 'joe-' });
  const message = await scene.message({ channelId, content: '@joe- @nobody' });
  assert.equal(await isTold(joe, message), true);
});
