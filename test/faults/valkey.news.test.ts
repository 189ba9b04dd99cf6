// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type AuthorityChanges, MAX_CHANGES } from '../../server/src/db/authorityVersions.ts';
import type { Db } from '../../server/src/db/contract.ts';
import { ValkeyRelay } from '../../server/src/feed/valkeyRelay.ts';
import { Valkey } from '../../server/src/lib/valkey.ts';
import { until } from '../support/process.ts';
import { testsUnless } from '../support/skipping.ts';
import { startValkey, type ValkeyServer, valkeyBinary } from '../support/valkeyServer.ts';

/** How long to wait for a message that should not arrive. */
const QUIET_MS = 300;
/** Exceeds the interval between two probes of a connection plus the timeout of a probe. */
const PROBE_MS = 1_500;

/** A process: its commits, each in one server, and the number of notifications from other processes. */
class Node implements Pick<Db, 'onAuthorityChange' | 'authorityChanged'> {
  readonly valkey: Valkey;
  heard = 0;
  /** The changes in the last notification. Undefined if all permissions changed. */
  of: AuthorityChanges | undefined;
  commits = 0;
  #tell: (changes: AuthorityChanges) => void = () => assert.fail('nobody has subscribed');

  constructor(prefix = 'palaver:') {
    this.valkey = new Valkey({ url: server.url });
    new ValkeyRelay(this.valkey, this, prefix);
    open.push(this.valkey);
  }

  commit(serverId = 'server'): void {
    this.#tell([[serverId, ++this.commits]]);
  }

  onAuthorityChange(tell: (changes: AuthorityChanges) => void): void {
    this.#tell = tell;
  }

  authorityChanged(changes?: AuthorityChanges): void {
    this.heard++;
    this.of = changes;
  }
}

let server: ValkeyServer;
let open: { close(): void }[];

/** Two subscribed nodes. The notification that each gets when its subscription starts is not counted. */
async function twoNodes(): Promise<[Node, Node]> {
  const nodes: [Node, Node] = [new Node(), new Node()];
  await until(() => nodes.every(({ heard, valkey }) => heard === 1 && valkey.up));
  for (const node of nodes) node.heard = 0;
  return nodes;
}

const skip = valkeyBinary() ? false : 'no valkey-server or redis-server here';
const { afterEach, beforeEach, test } = testsUnless(skip);

beforeEach(async () => {
  open = [];
  server = await startValkey();
});
afterEach(async () => {
  for (const one of open) one.close();
  await server.stop();
});

test('each change notifies other processes, but not the one that made it', async () => {
  const [one, other] = await twoNodes();
  for (let change = 1; change <= 5; change++) {
    one.commit();
    await until(() => other.heard === change);
  }
  other.commit();
  await until(() => one.heard === 1);
  // Meanwhile the connections are pinged, which must not count as a notification.
  await sleep(1_000 + QUIET_MS);
  assert.deepEqual([one.heard, other.heard], [1, 5]);
});

test('many concurrent changes are sent as one message, with the latest of each server', async () => {
  const [one, other] = await twoNodes();
  for (let change = 0; change < 1_000; change++) one.commit(`server ${change % 2}`);
  await until(() => other.heard > 0);
  await sleep(QUIET_MS);
  assert.equal(other.heard, 1);
  assert.equal(one.valkey.figures.calls, 1);
  assert.deepEqual(
    new Map(other.of),
    new Map([
      ['server 0', 999],
      ['server 1', 1_000],
    ]),
  );
});

test('changes in too many servers for one message are sent as a change of all permissions', async () => {
  const [one, other] = await twoNodes();
  for (let change = 0; change <= MAX_CHANGES; change++) one.commit(`server ${change}`);
  await until(() => other.heard > 0);
  assert.equal(other.of, undefined);
});

test('processes on other data are not notified', async () => {
  const [one] = await twoNodes();
  const stranger = new Node('other:');
  await until(() => stranger.heard === 1);
  one.commit();
  await sleep(QUIET_MS);
  assert.equal(stranger.heard, 1);
});

test('a process that may have missed a message assumes a change: after a restart, a freeze or a lost connection', async () => {
  const [one, other] = await twoNodes();
  const gap = async () => {
    await until(() => one.heard > 0 && other.heard > 0 && one.valkey.up && other.valkey.up);
    one.heard = 0;
    other.heard = 0;
    one.commit();
    await until(() => other.heard > 0);
    assert.equal(one.heard, 0);
    other.heard = 0;
  };
  await server.restart();
  await gap();
  server.freeze();
  await until(() => !one.valkey.up && !other.valkey.up, 5_000);
  // Subscriptions have their own connections, which notice the loss at their next probe.
  await sleep(PROBE_MS);
  server.thaw();
  await gap();
  const admin = new Redis(server.url);
  open.push({ close: () => admin.disconnect() });
  await admin.client('KILL', 'TYPE', 'pubsub');
  await gap();
});

test('a change while Valkey is down is announced once Valkey is back', async () => {
  const [one, other] = await twoNodes();
  server.freeze();
  await until(() => !one.valkey.up && !other.valkey.up, 5_000);
  one.commit();
  await sleep(50);
  server.thaw();
  await until(() => one.valkey.up && one.valkey.figures.calls > 0);
  assert.equal(one.valkey.figures.failures, 0);
  await until(() => other.heard > 0);
});
