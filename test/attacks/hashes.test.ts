import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { change, find, update } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

let world: World;
let user: Json;
before(async () => {
  world = await World.open({ limits: { '*': 0, attempt: 0 } });
  user = await world.user();
  await Browser.claimed(world, user);
});
after(() => world.close());

const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** A hash of `PASSWORD` in PHC string format. */
function hashWith(memory: number, passes: number, parallelism: number, tagLength: number): string {
  const nonce = Buffer.alloc(16, 7);
  const key = argon2Sync('argon2id', { message: PASSWORD, nonce, memory, passes, parallelism, tagLength });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(key)}`;
}

const identity = () =>
  change(world.data, ({ db }) => db.first(find('identity', { userId: user.id, provider: 'credential' })));

async function store(password: string): Promise<void> {
  const { id } = (await identity()) as Json;
  await change(world.data, ({ db }) => db.run(update('identity', id, { password })));
}

const signIn = (password: string) => new Browser(world).post('/sign-in', { name: user.username, password });

test('a hash with other parameters is verified with its own parameters, and upgraded at the next successful sign-in', async () => {
  const earlier: Parameters<typeof hashWith>[] = [
    [4096, 1, 1, 32],
    [65_536, 3, 2, 32],
    [19_456, 2, 1, 24],
  ];
  for (const parameters of earlier) {
    const old = hashWith(...parameters);
    await store(old);
    assertRefused(await signIn(`${PASSWORD}!`), 'UNAUTHORIZED');
    assert.equal((await identity())?.password, old, 'a failed sign-in changes nothing');
    dataOf(await signIn(PASSWORD));
    const upgraded = (await identity())?.password;
    assert.match(upgraded ?? '', CURRENT);
    dataOf(await signIn(PASSWORD));
    assert.equal((await identity())?.password, upgraded, 'upgraded once');
  }
});

test('a stored hash that is malformed or too expensive matches nothing, at the usual cost', async () => {
  const tail = hashWith(64, 1, 1, 32).split('$').slice(4).join('$');
  for (const head of [
    'm=4194304,t=2,p=1',
    'm=19456,t=1000000,p=1',
    'm=131072,t=10,p=1',
    'm=19456,t=2,p=255',
    'm=999999999,t=999999999,p=1',
    'm=0,t=0,p=0',
    'm=x,t=2,p=1',
  ]) {
    await store(`$argon2id$v=19$${head}$${tail}`);
    const before = process.cpuUsage();
    assertRefused(await signIn(PASSWORD), 'UNAUTHORIZED', head);
    const { user: spent } = process.cpuUsage(before);
    assert.ok(spent < 2_000_000, `${head} took ${spent} µs`);
  }
});
