import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { pathOf, writes } from '../rows/index.ts';
import { Choice } from '../support/choice.ts';
import { dataOf } from '../support/expect.ts';
import { type Records, recordsOf, type Watched } from '../support/known.ts';
import { endOf, logOf } from '../support/log.ts';
import { follow } from '../support/mirror.ts';
import { png } from '../support/pictures.ts';
import type { Place } from '../support/randomWrites.ts';
import { addRun } from '../support/rows.ts';
import { assertSame, snapshotOf } from '../support/snapshot.ts';
import { q, type TableName } from '../support/sources.ts';
import { upload } from '../support/uploads.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

/** Runs of random writes by several users, some concurrent, to two servers that install each other's apps. */
const RUNS = 4;
const GROUPS = 120;
const SNAPSHOT_EVERY_GROUPS = 20;
/** The number of files and custom emoji that each admin uploads at the start. */
const FILES = 3;
/** The number of failed flow runs at the start. */
const RUNS_OF_FLOWS = 5;
const image = Buffer.from(png(8, 8));
const randomWrites = writes.flatMap((row) => (row.random ?? []).map((random) => ({ row, random })));
const weighted = randomWrites.flatMap(({ random }, index) => Array<number>(random.weight).fill(index));
const step = fc.record({
  write: fc.constantFrom(...weighted),
  site: fc.nat({ max: 1 }),
  who: fc.nat({ max: 7 }),
  numbers: fc.array(fc.nat({ max: 10_000 }), { minLength: 6, maxLength: 6 }),
});
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), {
  minLength: GROUPS,
  maxLength: GROUPS,
});
const seed = Number(process.env.PALAVER_TEST_SEED ?? 1);

interface Site extends Place, Watched {
  /** The number of the last event that was applied. */
  seq: number;
}

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** The number of successes of each random write. */
const succeeded = new Map<number, number>();
let refused = 0;
let events = 0;

/** Operations that need a message held by a word rule. `spec/wordRules` covers them. */
const rare = new Set(['heldMessageApprove', 'heldMessageDelete']);

test('an old snapshot with the events since then equals a new snapshot', async () => {
  for (const run of fc.sample(fc.noBias(groups), { numRuns: RUNS, seed })) {
    const sites = await openSites();
    const before: Records[] = await Promise.all(sites.map(snapshotOf));
    for (const [index, group] of run.entries()) {
      await Promise.all(group.map((one) => perform(sites, one)));
      for (const [number, site] of sites.entries()) await catchUp(site, before[number] as Records);
      if ((index + 1) % SNAPSHOT_EVERY_GROUPS > 0) continue;
      for (const [number, site] of sites.entries()) {
        const shown = await snapshotOf(site);
        assertSame(site, before[number] as Records, shown);
        assertSame(site, site.records, shown);
        await assertStored(site);
        before[number] = shown;
      }
    }
  }
  const never = randomWrites
    .filter((_, index) => !succeeded.has(index))
    .map(({ row }) => row.name)
    .filter((name) => !rare.has(name));
  assert.deepEqual(never, [], 'every kind of write succeeds sometimes');
  const done = [...succeeded.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(
    done > 500 && refused > 20 && events > done,
    `${done} done, ${refused} refused, ${events} events`,
  );
});

/** Opens two servers with three admins and a guest each. */
async function openSites(): Promise<[Site, Site]> {
  const users = await Promise.all(Array.from({ length: 6 }, () => world.user()));
  const open = async (other: () => Place): Promise<Site> => {
    const owner = await world.user();
    const server = await world.server(owner);
    const watchers: [Client, ...Client[]] = [await world.client(server, ['canAdmin'], owner)];
    for (let more = 0; more < 2; more++) watchers.push(await world.client(server, ['canAdmin']));
    const guest = await world.client(server, ['canEditData']);
    const { id: flowId } = await world.flow(server);
    const failedRuns: string[] = [];
    for (let more = 0; more < RUNS_OF_FLOWS; more++) failedRuns.push(await failedRun(flowId, server.id));
    for (let more = 0; more < 3; more++)
      await watchers[0].post('/channels', { name: world.unique('channel') });
    for (const watcher of watchers)
      for (let more = 0; more < FILES; more++) {
        dataOf(await upload(world, watcher));
        const fields = { name: world.unique('emoji').toLowerCase() };
        dataOf(await upload(world, watcher, image, 'emoji.png', { path: '/emoji', fields }));
      }
    const known = { thread: new Set<string>(), role: new Set<string>(), app: new Set<string>() };
    const site = { server, watchers, guest, users, other, known, records: new Map(), seq: 0, latest: '' };
    return { ...site, failedRuns, deliveries: new Set(), unique: (stem: string) => world.unique(stem) };
  };
  const sites: Site[] = [];
  sites.push(await open(() => sites[1] as Site), await open(() => sites[0] as Site));
  for (const site of sites) await catchUp(site, new Map());
  return sites as [Site, Site];
}

async function failedRun(flowId: string, serverId: string): Promise<string> {
  return (await addRun(world, { flowId, serverId, status: 'failed', steps: [] })).id;
}

async function perform(sites: readonly Site[], { write, site: number, who, numbers }: Json): Promise<void> {
  const site = sites[number] as Site;
  const { row, random } = randomWrites[write] as (typeof randomWrites)[number];
  const made = random.write(site, new Choice(numbers));
  if (!made) return;
  const { id, body, as = who === 7 ? site.guest : site.watchers[who % site.watchers.length] } = made;
  if (!as) return;
  const { method } = row;
  const path = pathOf(row, id);
  const call = { POST: as.post, PATCH: as.patch, DELETE: as.delete }[method];
  const answer: Answer = await call(path, body);
  assert.ok(answer.status < 500, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  if (answer.status !== 200) {
    refused++;
    return;
  }
  succeeded.set(write, (succeeded.get(write) ?? 0) + 1);
  if (answer.data.webhookId) site.deliveries.add(answer.data.id);
  // A POST on a collection creates a record in this server. (Installing an app from the registry does not create
  // the app.)
  if (method === 'POST' && path.lastIndexOf('/') === 0)
    site.known[row.noun.name as keyof Site['known']]?.add(answer.data.id);
}

/** Applies a server's new events to the records kept since the start, and to those of the last snapshot. */
async function catchUp(site: Site, shown: Records): Promise<void> {
  const log = await logOf(world, site.server.id, site.seq);
  for (const event of log) {
    const resource = event.type.split('.')[0] as keyof Site['known'];
    site.known[resource]?.add(event.data.id);
    follow(site.records, event);
    follow(shown, event);
  }
  site.seq += log.length;
  site.latest = log.at(-1)?.id ?? site.latest;
  events += log.length;
  assert.equal(site.seq, await endOf(world, site.server.id));
}

/** Compares records that no read shows with the tables. */
async function assertStored({ server, records }: Site): Promise<void> {
  const { read } = world.data.db;
  const channels = recordsOf(records, 'channel');
  for (const table of ['userRole', 'secret', 'reaction', 'role', 'thread', 'app'] satisfies TableName[]) {
    const rows = await read.all(
      q.selectFrom(table).selectAll().where('serverId', '=', server.id).orderBy('id'),
    );
    // Rows of deleted channels are swept later.
    const kept = rows.filter((row) => !('channelId' in row) || channels.has(row.channelId));
    const followed = [...recordsOf(records, table).keys()].sort();
    assert.deepEqual(
      followed,
      kept.map(({ id }) => id),
      table,
    );
  }
}
