import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/databases.ts';
import { KeptClient, Site, skip } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';
import { seeded } from '../support/seeded.ts';
import { Stalls } from '../support/stalls.ts';
import { Follower } from '../support/streams.ts';

const random = seeded();

const NODES = 3;
/**
 * The longest time that a client may get events after the response to the write that removed its access, not
 * counting stalls of the machine.
 */
const NOTICED_MS = 1_000;
/** The additional time for which the clients are watched. */
const WATCHED_MS = 700;
/** The delay between two writes. */
const PAUSE_MS = 120;

/** A key with access to a channel, and the write that removes this access. */
interface Sight {
  key: string;
  channelId: string;
  /** True if the key itself is revoked. */
  endsKey: boolean;
  /** Sends that write to a node. */
  end(node: number): Promise<unknown>;
}

let site: Site;
let stalls: Stalls;
let count = 0;
const followers: Follower[] = [];

const anyNode = (): number => Math.floor(random.next() * NODES);

async function change(method: string, path: string, node: number, body?: object): Promise<void> {
  const answer = await call(site.at(node), method, `/api/v1${path}`, { key: site.key, body });
  assert.equal(answer.status, 200, answer.text);
}

const channel = (fields: object = {}) =>
  site.make('/channels', { name: `channel ${++count}`, ...fields }, anyNode());
const role = (fields: object = {}) =>
  site.make('/roles', { name: `role ${++count}`, canEditData: true, ...fields });
const channelEnd = (channelId: string, body: object) => (node: number) =>
  change('PATCH', `/channels/${channelId}`, node, body);

const kinds: Readonly<Record<string, () => Promise<Sight>>> = {
  async 'a channel is made private'() {
    const { id: channelId } = await channel();
    const { key } = await site.mint();
    return { key, channelId, endsKey: false, end: channelEnd(channelId, { private: true }) };
  },
  async 'a role is removed from a channel'() {
    const { id: roleId } = await role();
    const { id: channelId } = await channel({ private: true, roleIds: [roleId] });
    const { key } = await site.mint({ roleId });
    return { key, channelId, endsKey: false, end: channelEnd(channelId, { roleIds: [] }) };
  },
  async 'a flag is taken from a role'() {
    const { id: roleId } = await role({ canAdmin: true });
    const { id: channelId } = await channel({ private: true });
    const { key } = await site.mint({ roleId });
    const end = (node: number) => change('PATCH', `/roles/${roleId}`, node, { canAdmin: false });
    return { key, channelId, endsKey: false, end };
  },
  async 'a role is deleted'() {
    const { id: roleId } = await role();
    const { id: channelId } = await channel();
    const { key } = await site.mint({ roleId });
    return { key, channelId, endsKey: true, end: (node) => change('DELETE', `/roles/${roleId}`, node) };
  },
  async 'a key is revoked'() {
    const { id: channelId } = await channel();
    const { key, id } = await site.mint();
    return { key, channelId, endsKey: true, end: (node) => change('DELETE', `/secrets/${id}`, node) };
  },
  async 'a key is revoked by a command'() {
    const { id: channelId } = await channel();
    const { key, id } = await site.mint();
    const end = async () => jsonOf(await site.run(['key', 'revoke', id, '--json']));
    return { key, channelId, endsKey: true, end };
  },
  async 'a key expires'() {
    const { id: channelId } = await channel();
    const expiresAt = Date.now() + 6_000;
    const { key } = await site.mint({ expiresAt });
    return { key, channelId, endsKey: true, end: () => sleep(expiresAt - Date.now()) };
  },
  async 'a member is removed'() {
    const { id: channelId } = await channel();
    const { key, userId } = await site.mint();
    const member = 'select id from "serverMember" where "userId" = $1';
    const [{ id }] = (await ask(site.database, member, [userId])) as [{ id: string }];
    return { key, channelId, endsKey: true, end: (node) => change('DELETE', `/server-members/${id}`, node) };
  },
};

/** Follows messages and indicators, always from the same node. */
function follow(key: string, node: number, way: 'stream' | 'pages', from?: string): Follower {
  const query = { types: 'message.*,indicator.*' };
  const follower = new Follower({ key, way, nodeAt: () => site.at(node), query, from });
  followers.push(follower);
  return follower.start(0);
}

/** Writes to a channel through all nodes until `signal` aborts. */
async function write(channelId: string, signal: AbortSignal): Promise<void> {
  const client = new KeptClient(site.key);
  for (let number = 0; !signal.aborted; number++) {
    const path = number % 4 === 3 ? '/indicators' : '/messages';
    const body =
      number % 4 === 3 ? { type: `typing ${number}`, channelId } : { channelId, content: `${number}` };
    const answer = await client.call(site.at(number), 'POST', `/api/v1${path}`, body);
    assert.equal(answer.status, 200, answer.text);
    await sleep(PAUSE_MS);
  }
  client.close();
}

/** The times at which a client got messages and indicators of a channel. */
const timesOf = ({ seen, live }: Follower, channelId: string) => ({
  messages: seen.filter((event) => event.channelId === channelId).map(({ at }) => at),
  indicators: live.filter(({ data }) => data.channelId === channelId).map(({ seenAt }) => seenAt as number),
});

function lastTold(follower: Follower, channelId: string): number {
  const { messages, indicators } = timesOf(follower, channelId);
  return Math.max(0, messages.at(-1) ?? 0, indicators.at(-1) ?? 0);
}

/**
 * Removes access while clients follow at all nodes. Returns the milliseconds until the last event that any of
 * them got. A control client that still has access must keep getting events.
 */
async function endOf({ key, channelId, endsKey, end }: Sight): Promise<number> {
  const over = new AbortController();
  const writing = write(channelId, over.signal);
  writing.catch(() => {});
  try {
    const control = follow(site.key, anyNode(), 'stream');
    await until(() => control.begun !== undefined);
    const watching = site.nodes.flatMap((_, node) => [
      follow(key, node, 'stream', control.begun),
      follow(key, node, 'pages', control.begun),
    ]);
    // Waits until every client has received events, so every node has the key's principal in its cache.
    await until(() => {
      const told = watching.map((follower) => timesOf(follower, channelId));
      return (
        told.every(({ messages }) => messages.length >= 3) &&
        told.some(({ indicators }) => indicators.length > 0)
      );
    }, 20_000);
    await end(anyNode());
    const endedAt = performance.now();
    await sleep(NOTICED_MS + WATCHED_MS);
    const stalled = stalls.since(endedAt);
    await sleep(stalled);
    const isControlTold = lastTold(control, channelId) > endedAt + NOTICED_MS;
    assert.ok(isControlTold, 'the client that may see the channel gets no events');
    for (const { refusals } of watching) {
      assert.equal(refusals.has(401), endsKey, `refused: ${JSON.stringify([...refusals])}`);
    }
    return Math.max(...watching.map((follower) => lastTold(follower, channelId))) - endedAt - stalled;
  } finally {
    over.abort();
    await writing;
  }
}

/** Removes access in every way, as often as `times` says, and reports how long it took to take effect. */
async function measure(times: number, say: (text: string) => void): Promise<void> {
  const took = new Map<string, number[]>();
  for (let time = 0; time < times; time++) {
    for (const some of [Object.entries(kinds).slice(0, 4), Object.entries(kinds).slice(4)]) {
      const ending = some.map(async ([words, make]) => {
        const longest = Math.max(0, Math.round(await endOf(await make())));
        took.set(words, [...(took.get(words) ?? []), longest]);
      });
      await Promise.all(ending);
      await stopAll();
    }
  }
  for (const [words, all] of took)
    say(`${words}: events arrived for ${all.join(', ')} ms after the response`);
  for (const [words, all] of took) assert.ok(Math.max(...all) <= NOTICED_MS, words);
}

/** Ends keys in every way while nothing else happens. All their streams must end. */
async function assertEndsInSilence(): Promise<void> {
  for (const [words, make] of Object.entries(kinds)) {
    const { key, endsKey, end } = await make();
    if (!endsKey) continue;
    const watching = site.nodes.map((_, node) => follow(key, node, 'stream'));
    await until(() => watching.every(({ connections }) => connections === 1));
    await end(anyNode());
    const areEnded = () => watching.every(({ refusals }) => refusals.has(401));
    const endedAt = performance.now();
    const isLate = () => performance.now() > endedAt + NOTICED_MS + stalls.since(endedAt);
    await until(() => areEnded() || isLate());
    assert.ok(areEnded(), words);
    await stopAll();
  }
}

const stopAll = (): Promise<unknown> => Promise.all(followers.splice(0).map((follower) => follower.stop()));

describe(`clients of ${NODES} nodes that lose access to a channel`, { skip }, () => {
  before(async () => {
    stalls = new Stalls();
    site = await Site.open(NODES);
  });
  after(async () => {
    stalls.stop();
    await site?.close();
  });
  afterEach(stopAll);

  test('get no event from it after a second', (t) => measure(2, (text) => t.diagnostic(text)));

  test(
    'lose their streams within a second if their key is revoked, even if nothing else happens',
    assertEndsInSilence,
  );

  test('get no event from it after a second without Valkey either', async (t) => {
    await site.valkey.kill();
    const isDown = async (node: number) =>
      (await call(site.at(node), 'GET', '/readyz')).body.checks.valkey !== 'ok';
    for (let node = 0; node < NODES; node++) await until(() => isDown(node));
    await measure(1, (text) => t.diagnostic(text));
    await assertEndsInSilence();
  });

  test('get its events again after regaining access, without those in between', async () => {
    const { id: channelId } = await channel();
    const { key } = await site.mint();
    const send = (content: string) => site.make('/messages', { channelId, content }, anyNode());
    const watching = site.nodes.map((_, node) => follow(key, node, 'stream'));
    await until(() => watching.every(({ connections }) => connections === 1));
    await send('before');
    await until(() => watching.every(({ seen }) => seen.length === 1));
    await change('PATCH', `/channels/${channelId}`, anyNode(), { private: true });
    await send('in between');
    await sleep(2_500);
    await change('PATCH', `/channels/${channelId}`, anyNode(), { private: false });
    await send('after');
    await until(() => watching.every(({ seen }) => seen.length === 2), 6_000);
    for (const { connections, faults } of watching) assert.deepEqual([connections, faults], [1, []]);
  });
});
