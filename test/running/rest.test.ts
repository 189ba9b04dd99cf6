import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { Clock } from '../../server/src/clock/clock.ts';
import { Feed } from '../../server/src/feed/feed.ts';
import type { Services } from '../../server/src/operations/services.ts';
import { startUpkeep } from '../../server/src/removal/index.ts';
import { FlowEngine } from '../../server/src/resources/flow/engine/engine.ts';
import { events } from '../../server/src/resources/index.ts';
import { startWebhooks } from '../../server/src/webhooks/dispatcher.ts';
import { fillIdle, serverId } from '../support/idleData.ts';
import { World } from '../support/world.ts';
import { gated } from '../support/wrapped.ts';

/** The time until a background job is idle: its first rounds scan all data. */
const REST_MS = 4_000;
const MEASURED_MS = 6_000;
/** Upkeep rounds are more frequent than on a real node, so several are measured. */
const periods = { look: 500, round: 1_000, lease: 60_000 };
const log = pino({ level: 'silent' });

/** The background jobs of a node, with their own data: idle servers with readers, webhooks and flows. */
class AtRest {
  statements = 0;
  readonly #world: World;
  readonly #stop: () => Promise<void>;

  private constructor(world: World, stop: (count: () => void) => () => Promise<void>) {
    this.#world = world;
    this.#stop = stop(() => this.statements++);
  }

  static async open(amount: number): Promise<AtRest> {
    const world = await World.open();
    const { file, url } = { file: `${world.folder}/palaver.db`, url: world.place.database };
    await fillIdle(url ? { url } : { file }, { servers: amount, webhooks: amount, flows: 3 * amount });
    const feeds: Feed[] = [];
    const opened = new AtRest(world, (count) => {
      const data = { ...world.data, db: gated(world.data.db, count) };
      const feed = new Feed(data.db, data.deps, events);
      feeds.push(feed);
      const webhooks = startWebhooks(
        { ...data, feed, allowedHosts: { allowPrivate: true, hosts: [] }, toRecord: () => ({}) },
        log,
      );
      // Idle flows use no other services.
      const flows = new FlowEngine({ ...data, feed } as unknown as Services, log, () => {});
      const clock = new Clock({ ...data, run: () => assert.fail('a timer is due') }, log);
      const stopUpkeep = startUpkeep({ ...data, feed, eventDays: 30 }, log, periods);
      return async () => {
        await Promise.all([webhooks.stop(), flows.stop(), clock.stop(), stopUpkeep()]);
        feed.close();
      };
    });
    const nobody = () => Promise.reject(new Error('nothing happens'));
    for (let number = 1; number <= amount; number++)
      await (feeds[0] as Feed).reader(serverId(number), {}, nobody);
    return opened;
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.#world.close();
  }
}

let few: AtRest;
let many: AtRest;

before(async () => {
  [few, many] = [await AtRest.open(10), await AtRest.open(1_000)];
});
after(async () => {
  await Promise.all([few?.close(), many?.close()]);
});

test('an idle node sends as many statements for 1,000 servers with streams, webhooks and flows as for 10', async (t) => {
  await sleep(REST_MS);
  for (const side of [few, many]) side.statements = 0;
  await sleep(MEASURED_MS);
  const [ofFew, ofMany] = [few.statements, many.statements];
  t.diagnostic(`${ofFew} statements for 10, ${ofMany} for 1,000`);
  assert.ok(ofFew > MEASURED_MS / 1_000, 'the background jobs are running');
  assert.ok(ofMany <= ofFew * 1.5 + 10, `${ofMany} statements, ${ofFew} for fewer servers`);
});
