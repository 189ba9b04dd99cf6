// @run sqlite: these requests are rejected before any data is read
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

test('a long unknown name is reported truncated, even if the cut splits a surrogate pair', async () => {
  const name = `${'a'.repeat(63)}😀`;
  const told = `${'a'.repeat(63)}${encodeURIComponent('\u{fffd}')}`;
  const queried = await scene.admin.get(`/servers?${encodeURIComponent(name)}=1`);
  dataOf(queried);
  assert.equal(queried.headers.get('ignored-parameters'), told);
  const posted = await scene.admin.post('/invites', { [name]: 1 });
  dataOf(posted);
  assert.equal(posted.headers.get('ignored-parameters'), told);
});

test('a long list of invalid values is rejected with only the first error', async () => {
  for (const [path, field] of [
    ['/channels', 'roleIds'],
    ['/apps', 'meta'],
  ] as const) {
    const refused = await scene.admin.post(path, { name: 'x', [field]: Array(100_000).fill(1) });
    assertRefused(refused, 'INVALID_REQUEST', path, field);
    assert.equal(refused.body.error.details.length, 1);
  }
  const few = await scene.admin.post('/apps', { name: 1, description: 2 });
  assertRefused(few, 'INVALID_REQUEST', '', 'name');
  assert.equal(few.body.error.details.length, 2);
});

test('an empty value is one problem, although it is both too short and blank', async () => {
  const refused = await scene.admin.get('/events?after=');
  assertRefused(refused, 'INVALID_REQUEST', '', 'after');
  assert.equal(refused.body.error.details.length, 1);
});

test('an Authorization header may have any number of spaces before the key', async () => {
  for (const blanks of [1, 2, 9, 5_000]) {
    for (let time = 0; time < 2; time++) {
      const headers = { authorization: `Bearer${' '.repeat(blanks)}${scene.admin.key}` };
      dataOf(await world.request('GET', '/servers', { headers }));
    }
  }
});
