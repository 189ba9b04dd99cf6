import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callTemplate } from '../../server/src/lib/settings.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ callUrl: 'https://meet.example.com/{room}#name={name}' });
  scene = await Scene.open(world);
});
after(() => world.close());

async function join(name: string): Promise<Browser> {
  const user = await world.user({ name });
  await world.member(scene.server, user);
  return Browser.of(world, user, scene.server);
}

test('everyone who can see a channel gets the same secret room, with their own name', async () => {
  const [ada, bob] = [await join('Ada & "Bob"'), await join('ボブ')];
  const channel = await scene.channel();
  const other = await scene.channel();
  const urlFor = async (browser: Browser, id: string): Promise<URL> =>
    new URL(dataOf(await browser.get(`/channels/${id}/call`)).url);
  const [one, two] = [await urlFor(ada, channel.id), await urlFor(bob, channel.id)];
  assert.equal(one.origin, 'https://meet.example.com');
  assert.match(one.pathname, /^\/[0-9a-f]{30}$/);
  assert.equal(one.pathname, two.pathname);
  assert.notEqual(one.pathname, (await urlFor(ada, other.id)).pathname);
  assert.deepEqual(
    [one, two].map(({ hash }) => decodeURIComponent(hash)),
    ['#name=Ada & "Bob"', '#name=ボブ'],
  );
  assert.equal(dataOf(await ada.get('/me')).hasCalls, true);
  assert.equal(
    (await scene.admin.get(`/channels/${channel.id}/messages`)).data.length,
    0,
    'nothing is posted',
  );
});

test('nobody else gets the room, and an installation without calls has none', async () => {
  const ada = await join('Ada');
  const closed = await scene.channel({ private: true });
  assertRefused(await ada.get(`/channels/${closed.id}/call`), 'FORBIDDEN');
  assertRefused(await ada.get('/channels/none/call'), 'NOT_FOUND');
  const key = await scene.world.request('GET', `${world.url}/api/people/channels/${closed.id}/call`, {
    headers: { authorization: `Bearer ${scene.admin.key}` },
  });
  assertRefused(key, 'UNAUTHORIZED');
  const plain = await World.open();
  try {
    const there = await Scene.open(plain);
    const channel = await there.channel();
    const owner = await Browser.of(plain, there.owner, there.server);
    assertRefused(await owner.get(`/channels/${channel.id}/call`), 'NOT_FOUND');
    assert.equal(dataOf(await owner.get('/me')).hasCalls, false);
  } finally {
    await plain.close();
  }
});

test('the template needs a room and a web address', () => {
  for (const good of ['', 'https://meet.jit.si/{room}', 'http://localhost:9000/{room}?name={name}'])
    assert.equal(callTemplate(good), good);
  for (const bad of [
    'https://meet.jit.si/',
    'javascript:alert({room})',
    '{room}',
    'https://x/{room}{other}',
    7,
  ])
    assert.throws(() => callTemplate(bad), /must be a URL/);
});
