import { nouns } from '../rows/index.ts';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { addDelivery } from '../support/rows.ts';
import { Scene } from '../support/scene.ts';
import type { Random } from '../support/seeded.ts';
import type { Json, World } from '../support/world.ts';

const made = nouns.filter(({ make }) => make);
/** Kinds of identifiers: each noun whose rows can be created, events, and webhook deliveries. */
export const kinds = [...made.map(({ name }) => name), 'event', 'webhookDelivery'];

/** The minimum number of rows of each kind that a fill adds. */
const ROWS_PER_KIND = 8;
const oddIds = [
  '',
  '0',
  'none',
  '00000000-0000-0000-0000-000000000000',
  '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90',
  '0193A5F0-7B1C-7D2E-8F3A-4B5C6D7E8F90',
  '{0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90}',
  '..',
  'a b',
  'ä',
  '🙂',
  '\u0000',
  '%00',
  '%2e%2e%2f',
  "' or 1=1 --",
  '__proto__',
  'x'.repeat(999),
  'x'.repeat(1_001),
  'x'.repeat(3_000),
];

/** Identifiers of rows in two servers by kind, and keys to send requests with. */
export class Stock {
  readonly keys: readonly string[];
  /** Headers from browsers in which people are signed in. */
  browsers: Record<string, string>[] = [];
  readonly #own = new Map<string, string[]>(kinds.map((kind) => [kind, []]));
  readonly #foreign = new Map<string, string[]>(kinds.map((kind) => [kind, []]));

  /** The server to which most rows and keys belong. */
  readonly scene: Scene;

  private constructor(keys: readonly string[], scene: Scene) {
    this.keys = keys;
    this.scene = scene;
  }

  /** Fills a world. The first two keys have all permissions, the last belongs to another server. */
  static async fill(world: World): Promise<Stock> {
    const own = await Scene.open(world);
    const other = await Scene.open(world);
    const limited = await world.client(own.server, ['canEditData', 'canViewData']);
    const powerless = await world.client(own.server, []);
    // With a key, only agents can have direct messages.
    const agent = await world.client(own.server, ['canAdmin'], await world.user({ agent: true }));
    const stock = new Stock(
      [own.admin.key, agent.key, own.admin.key, own.admin.key, limited.key, powerless.key, other.admin.key],
      own,
    );
    await stock.refill();
    await stock.#fillFrom(other, stock.#foreign);
    return stock;
  }

  /** Adds new rows of every kind, and allows direct messages with agents again. */
  async refill(): Promise<void> {
    const { world, owner, server, admin } = this.scene;
    dataOf(await admin.patch(`/servers/${server.id}`, { directAgents: true }));
    // A member can have at most 50 open reports.
    const open: Json[] = dataOf(await admin.get(`/servers/${server.id}/reports?state=open&limit=100`));
    for (const { id } of open) dataOf(await admin.patch(`/reports/${id}`, { state: 'dismissed' }));
    // Signs in again, because random requests have signed the previous browsers out.
    this.browsers = [{ 'palaver-server': 'none' }];
    for (const place of [undefined, server, server]) {
      const { cookie } = await Browser.of(world, owner, place);
      this.browsers.push({ cookie, 'palaver-server': place?.id ?? 'none' });
    }
    await this.#fillFrom(this.scene, this.#own);
  }

  async #fillFrom(scene: Scene, into: Map<string, string[]>): Promise<void> {
    const add = (kind: string, { id }: Json) => into.get(kind)?.push(id);
    for (let row = 0; row < ROWS_PER_KIND; row++) {
      const channel = await scene.channel({ private: row === 1, readonly: row === 2 });
      const place = scene.with({ place: channel });
      for (const { name, make } of made) add(name, await make?.(place));
      add('message', await place.message({ content: `Message ${row} for all` }));
      add('message', await place.message({ threadId: (await place.thread()).id }));
      const receiver = { direction: 'in', url: undefined, channelId: channel.id };
      add('webhook', await scene.webhook(receiver));
      const member = await scene.world.user();
      await scene.world.member(scene.server, member);
      add('user', member);
      const eventId = await scene.cursor();
      add('event', { id: eventId });
      add('webhookDelivery', await addDelivery(scene.world, (await scene.webhook()).id, { eventId }));
    }
  }

  /** Adds a row that a request has created. */
  add(kind: string, id: string): void {
    this.#own.get(kind)?.push(id);
  }

  /** Removes a row that a request has deleted, unless it is the last of its kind. */
  forget(kind: string, id: string): void {
    const rows = this.#own.get(kind) as string[];
    if (rows.length > 1 && rows.includes(id)) rows.splice(rows.indexOf(id), 1);
  }

  /** An identifier of a recently created row of this kind. */
  liveId(kind: string, random: Random): string {
    return random.pick((this.#own.get(kind) as string[]).slice(-ROWS_PER_KIND));
  }

  /** An identifier: mostly of this kind, sometimes of another kind, from the other server, or of no row. */
  id(kind: string, random: Random): string {
    const from = random.next();
    if (from < 0.75) return random.pick(this.#own.get(kind) as string[]);
    if (from < 0.83) return random.pick(this.#own.get(random.pick(kinds)) as string[]);
    if (from < 0.91) return random.pick(this.#foreign.get(kind) as string[]);
    return random.pick(oddIds);
  }
}
