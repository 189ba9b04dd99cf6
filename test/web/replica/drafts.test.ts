import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts } from '../../../web/replica/drafts.ts';
import { keptInMemory } from '../../../web/replica/kept.ts';
import { type Begun, Marks } from '../../../web/replica/marks.ts';
import type { Api, LiveEvent, Records } from '../../../web/replica/types.ts';

// Models one draft on a device and on the server, where another device changes it, too. Every possible event
// is a step, and the test explores all orders of the steps of a scenario. At the end, the device has to show the
// server's draft.

interface Scenario {
  /** The texts typed on this device, in order. '' empties the draft, as a send does. */
  here: readonly string[];
  /** The texts that another device saves on the server. */
  there: readonly string[];
  /** The initial draft, known to both. '' for none. */
  first: string;
  /** How often the stream breaks, and how often a request or response is lost. */
  cuts: number;
  losses: number;
  /** Everything happens within one millisecond. */
  isFrozen: boolean;
}

type Row = Records['Draft'];
type DraftEvent = LiveEvent & { data: Row };

interface Done {
  answer?: { draft: Row | null };
  refusal?: object;
  event?: DraftEvent;
}

interface Request {
  content: string;
  version: number;
  /** Set once the server has handled the request. */
  done?: Done;
  settle(done: Done | undefined): void;
}

const place = { serverId: 'server', channelId: 'channel' };

/** Models the server: keeps a draft as `draftSave` does. */
class Server {
  row: Row | undefined;
  #now = 1_000;
  #ids = 0;
  readonly #isFrozen: boolean;

  constructor(isFrozen: boolean) {
    this.#isFrozen = isFrozen;
  }

  save(content: string, version = this.row?.updatedAt ?? 0): Done {
    if (!this.#isFrozen) this.#now++;
    const found = this.row;
    if ((found?.content ?? '') === content) return { answer: { draft: found ?? null } };
    if (version !== (found?.updatedAt ?? 0))
      return { refusal: { status: 409, code: 'ALREADY_EXISTS', details: { draft: found ?? null } } };
    const event = (type: string, data: Row | undefined) =>
      ({ ...place, type, data }) as unknown as DraftEvent;
    if (content === '') {
      this.row = undefined;
      return { answer: { draft: null }, event: event('draft.deleted', found) };
    }
    const [id, at] = found ? [found.id, found.updatedAt + 1] : [String(++this.#ids), 0];
    const updatedAt = Math.max(this.#now, at);
    this.row = { ...place, id, userId: 'user', threadId: null, content, createdAt: updatedAt, updatedAt };
    return { answer: { draft: this.row }, event: event('draft.updated', this.row) };
  }
}

/** Models a device, its server, and the messages in flight between them. */
class World {
  readonly drafts: Drafts;
  readonly server: Server;
  /** If set, the server rejects every request with this error. */
  refusal: object | undefined;
  readonly #marks = new Marks();
  readonly #here: string[];
  readonly #there: string[];
  #cuts: number;
  #losses: number;
  #timer: (() => void) | undefined;
  #request: Request | undefined;
  #events: DraftEvent[] = [];
  #isConnected = true;
  #isDoubting = false;
  #read: { begun: Begun; rows?: Row[] } | undefined;
  /** The drafts that arrived by event or in a snapshot during a save, because `Drafts` may keep them. */
  #told: unknown[] = [];

  constructor({ here, there, first, cuts, losses, isFrozen }: Scenario) {
    [this.#here, this.#there, this.#cuts, this.#losses] = [[...here], [...there], cuts, losses];
    this.server = new Server(isFrozen);
    this.drafts = new Drafts({
      api: (() => ({ draftSave: this.#ask })) as unknown as Api,
      kept: keptInMemory(),
      around: { now: () => 0, random: () => 0, id: () => '', after: this.#after },
      marks: this.#marks,
      changed: () => {},
      doubt: () => {
        this.#isDoubting = true;
      },
    });
    const { event } = this.server.save(first);
    if (event) this.drafts.apply(event);
  }

  /** The state that determines which steps are possible from here on. */
  get state(): string {
    const { server, drafts } = this;
    return JSON.stringify([
      ...[server.row, drafts.get('channel'), this.#here.length, this.#there.length, this.#cuts, this.#losses],
      ...[this.#timer !== undefined, this.#events, this.#isConnected, this.#isDoubting, this.#read?.rows],
      ...[this.#read && this.#marks.isNewer('draft channel', this.#read.begun)],
      ...(this.#request ? [this.#request, this.#told] : []),
    ]);
  }

  /** All steps that are possible next, by name. */
  steps(): Map<string, () => void> {
    const all = new Map<string, () => void>();
    const may = (name: string, is: unknown, step: () => void) => void (is && all.set(name, step));
    const request = this.#request;
    const read = this.#read;
    may('types', this.#here.length > 0, () => this.drafts.save(place, this.#here.shift() as string));
    may('saves', this.#timer, () => this.#timer?.());
    may('is heard', request && !request.done, () => this.#hear(request as Request));
    may('is answered', request?.done, () => request?.settle(request.done));
    may('loses it', this.#losses > 0 && request, () => {
      this.#losses--;
      request?.settle(undefined);
    });
    may('the other writes', this.#there.length > 0, () =>
      this.#come(this.server.save(this.#there.shift() as string)),
    );
    may('is told', this.#events.length > 0, () => {
      const event = this.#events.shift() as DraftEvent;
      this.#told.push(event);
      this.drafts.apply(event);
    });
    may('breaks', this.#cuts > 0 && this.#isConnected, () => {
      this.#cuts--;
      this.#isConnected = false;
      this.#events = [];
    });
    may('connects', !this.#isConnected, () => {
      this.#isConnected = true;
      this.#isDoubting = true;
      this.drafts.flush();
    });
    may('reads', this.#isDoubting && this.#isConnected && !read, () => {
      this.#isDoubting = false;
      this.#read = { begun: this.#marks.begin() };
    });
    may('is read', read && !read.rows, () => {
      (read as { rows?: Row[] }).rows = this.server.row ? [this.server.row] : [];
    });
    may('has read', read?.rows, () => this.#put(read as Required<NonNullable<typeof read>>));
    return all;
  }

  #put({ rows, begun }: { rows: Row[]; begun: Begun }): void {
    this.#told.push(rows);
    this.drafts.snapshot(begun, 'server', rows);
    this.#marks.end(begun);
    this.#read = undefined;
  }

  #hear(request: Request): void {
    const { refusal } = this;
    request.done = refusal ? { refusal } : this.server.save(request.content, request.version);
    this.#come(request.done);
  }

  #come({ event }: Done): void {
    if (event && this.#isConnected) this.#events.push(event);
  }

  #ask = ({ content, version }: { content: string; version: number }) =>
    new Promise((resolve, reject) => {
      this.#told = [];
      const settle = (done: Done | undefined) => {
        this.#request = undefined;
        if (done?.answer) resolve(done.answer);
        else reject(Object.assign(new Error('refused or lost'), done?.refusal));
      };
      this.#request = { content, version, settle };
    });

  /** The one-second timer is for saving. The shorter one is for the browser's database. */
  #after = (ms: number, run: () => void) => {
    const timer = () => {
      this.#timer = undefined;
      run();
    };
    if (ms === 1_000) this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = undefined;
    };
  };
}

/** Takes one step and settles its immediate consequences. */
async function take(world: World, name: string): Promise<void> {
  const step = world.steps().get(name);
  assert.ok(step, name);
  step();
  // Waits for more turns than the longest promise chain that a response triggers.
  for (let turn = 0; turn < 10; turn++) await undefined;
}

/**
 * Explores all orders of the steps of a scenario, and checks the draft at the end of each. Continues only once from a
 * state that several orders reach.
 */
async function assertEnds(scenario: Scenario): Promise<void> {
  const seen = new Set<string>();
  const open: string[][] = [[]];
  let ends = 0;
  for (let path = open.pop(); path; path = open.pop()) {
    const world = new World(scenario);
    for (const name of path) await take(world, name);
    for (let state = world.state; !seen.has(state); state = world.state) {
      seen.add(state);
      const [next, ...others] = world.steps().keys();
      for (const other of others) open.push([...path, other]);
      if (next !== undefined) {
        path.push(next);
        await take(world, next);
        continue;
      }
      const { content, isSaved } = world.drafts.get('channel');
      assert.deepEqual(
        { content, isSaved },
        { content: world.server.row?.content ?? '', isSaved: true },
        `${JSON.stringify(scenario)}: ${path.join(', ')}`,
      );
      ends++;
    }
  }
  assert.ok(ends > 0);
}

const scenarios: Omit<Scenario, 'isFrozen'>[] = [
  { here: ['a'], there: ['b'], first: '', cuts: 1, losses: 0 },
  { here: [''], there: ['b'], first: 'o', cuts: 1, losses: 0 },
  { here: ['', 'a'], there: ['b'], first: 'o', cuts: 0, losses: 0 },
  { here: ['a'], there: ['', 'b'], first: 'o', cuts: 0, losses: 1 },
  { here: [], there: ['', 'b', ''], first: 'o', cuts: 1, losses: 0 },
];

for (const isFrozen of [false, true])
  test(`a device shows the server's draft, in every order${isFrozen ? ', within one millisecond' : ''}`, async () => {
    for (const scenario of scenarios) await assertEnds({ ...scenario, isFrozen });
  });

test('a rejected draft stays in the browser and is saved when the person continues to type', async () => {
  const world = new World({
    here: ['too long', 'short'],
    there: [],
    first: 'o',
    cuts: 1,
    losses: 0,
    isFrozen: false,
  });
  world.refusal = { status: 400, code: 'INVALID_REQUEST' };
  for (const name of ['types', 'saves', 'is heard', 'is answered', 'breaks', 'connects'])
    await take(world, name);
  for (const name of ['reads', 'is read', 'is heard', 'is answered', 'has read']) await take(world, name);
  assert.equal(world.drafts.get('channel').content, 'too long');
  assert.deepEqual([...world.steps().keys()], ['types'], 'it is not sent again automatically');
  world.refusal = undefined;
  for (const name of ['types', 'saves', 'is heard', 'is answered']) await take(world, name);
  assert.equal(world.server.row?.content, 'short');
});
