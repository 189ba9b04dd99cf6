import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operator } from '../../server/src/operations/work.ts';
import { eraseUser, Interrupted } from '../../server/src/removal/erase.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';
import { gated } from '../support/wrapped.ts';

/** The number of servers whose logs an erasure only reads, because the user has left nothing in them. */
const SERVERS = 80;
/** Maximum number of reads between two checks. Each check renews the node's lease. */
const MAX_READS = 8;

let world: World;
before(async () => {
  world = await World.open();
  const scene = await Scene.open(world);
  for (let number = 0; number < SERVERS; number++) await world.server(scene.owner);
});
after(() => world.close());

/**
 * Erases a user without any data. `mayGoOn` gets the number of checks so far. Returns the result and the
 * counts.
 */
async function erase(user: Json, mayGoOn: (questions: number) => boolean) {
  const { data } = world;
  const counts = { questions: 0, reads: 0, mostReads: 0 };
  let since = 0;
  const { read } = gated(data.db, () => {
    counts.reads++;
    counts.mostReads = Math.max(counts.mostReads, ++since);
  });
  const goesOn = async () => {
    since = 0;
    return mayGoOn(++counts.questions);
  };
  const db = { read, write: data.db.write.bind(data.db) };
  const result = await eraseUser({ ...data, db, actor: operator }, user as never, {
    withMessages: true,
    goesOn,
  }).catch((error: Error) => error);
  return { result, ...counts };
}

const nameOf = async ({ id }: Json): Promise<string | undefined> =>
  (await world.data.db.read.first(find('user', { id })))?.username;

test('an erasure checks its lease before each long read, so only one of several nodes runs it', async () => {
  const user = await world.user();
  const { reads, mostReads } = await erase(user, () => true);
  assert.ok(reads > 2 * SERVERS, `${reads} reads`);
  assert.ok(mostReads <= MAX_READS, `${mostReads} reads without a check`);
  assert.match((await nameOf(user)) as string, /^deleted-/);
});

test('an erasure that has lost its lease stops at the next check, wherever it is, and can run again', async () => {
  const user = await world.user();
  const whole = (await erase(await world.user(), () => true)).questions;
  for (const last of [SERVERS / 4, SERVERS / 2, whole - 2]) {
    const { result, questions } = await erase(user, (asked) => asked < last);
    assert.ok(result instanceof Interrupted, String(result));
    assert.equal(questions, last, 'it did not check again');
    assert.equal(await nameOf(user), user.username);
  }
  await erase(user, () => true);
  assert.match((await nameOf(user)) as string, /^deleted-/);
});
