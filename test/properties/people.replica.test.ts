import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '../support/account.ts';
import { Choice } from '../support/choice.ts';
import { dataOf } from '../support/expect.ts';
import { type OwnClient, ownClient } from '../support/guides.ts';
import { numbers } from '../support/numbers.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// Runs the replica from the guide "Your own client in an evening" through random writes in two servers, broken
// streams, late responses, and lost and regained permissions.

const ROUNDS = 8;
const WRITES = 40;
/** The longest delay of a response after it was read. */
const MAX_LATE_MS = 300;
/**
 * Long enough for a comparison, which takes four seconds on a busy machine. Must be shorter than the time
 * until a silent stream reconnects, because that might repair what was missed.
 */
const PATIENCE_MS = 15_000;
/** Edits choose among the latest messages, which are on the screen. */
const CHOSEN = 6;
const seed = Number(process.env.PALAVER_TEST_SEED ?? 1);

let world: World;
let Replica: OwnClient['Replica'];
let follow: OwnClient['follow'];
let close: () => void;
before(async () => {
  world = await World.open();
  ({ Replica, follow, close } = await ownClient());
});
after(async () => {
  await world.close();
  close();
});

interface Place {
  scene: Scene;
  /** The role that sees the private channels. */
  inside: Json;
  channels: Json[];
  messages: Json[];
}

/** A person with a replica, behind a slow network that breaks. */
class Person {
  readonly browser: Browser;
  readonly replica = new Replica();
  readonly #over = new AbortController();
  readonly #random: Generator<number>;
  #cut = new AbortController();
  #late = 0;
  #following: Promise<void> | undefined;

  constructor(browser: Browser, random: Generator<number>) {
    this.browser = browser;
    this.#random = random;
  }

  start(): void {
    this.#following = follow({
      replica: this.replica,
      signal: this.#over.signal,
      pause: 1,
      ask: (path: string, place: string) => this.ask(path, place),
      open: (path: string, signal: AbortSignal) => {
        this.#cut = new AbortController();
        return fetch(`${world.url}${path}`, {
          signal: AbortSignal.any([signal, this.#cut.signal]),
          headers: { 'palaver-server': 'none', cookie: this.browser.cookie, accept: 'text/event-stream' },
        });
      },
    });
  }

  /** Reads immediately, and returns the response some time later. */
  async ask(path: string, place: string): Promise<Json> {
    const headers = { 'palaver-server': place, cookie: this.browser.cookie };
    this.#late++;
    try {
      const answer = await fetch(`${world.url}${path}`, { headers });
      const { data, error } = (await answer.json()) as Json;
      await sleep((this.#random.next().value as number) % MAX_LATE_MS);
      if (error) throw Object.assign(new Error(error.message), { status: answer.status });
      return data;
    } finally {
      this.#late--;
    }
  }

  async view(channel: Json): Promise<void> {
    const begun = this.replica.begin();
    const place = channel.serverId;
    const shown = await this.ask(`/api/people/channels/${channel.id}/view?limit=5`, place).catch(
      () => undefined,
    );
    if (shown) this.replica.view(channel.id, shown, begun);
  }

  async older(channel: Json): Promise<void> {
    const range = this.replica.ranges.get(channel.id);
    if (!range?.from) return;
    const begun = this.replica.begin();
    const path = `/api/people/channels/${channel.id}/view?limit=5&before=${range.from}`;
    const shown = await this.ask(path, channel.serverId).catch(() => undefined);
    // The range may have been dropped and started again. This window would not be adjacent to the new one.
    if (shown && this.replica.ranges.get(channel.id) === range) this.replica.view(channel.id, shown, begun);
  }

  cut(): void {
    this.#cut.abort();
  }

  get isQuiet(): boolean {
    return this.#late === 0;
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#following;
  }
}

/** One random write or action by the person, which may be rejected. */
async function act(place: Place, person: Person, user: Json, choice: Choice, kind: number): Promise<void> {
  const { scene, inside, channels, messages } = place;
  const { admin, server } = scene;
  const channel = choice.of(channels);
  const message = messages.length > 0 ? choice.of(messages.slice(-CHOSEN)) : undefined;
  const send = async (body: object) => {
    const { status, data } = await admin.post('/messages', { content: world.unique('text'), ...body });
    if (status === 200) messages.push(data);
  };
  const reads = kind % 40;
  if (reads < 9) return send({ channelId: channel.id });
  if (reads < 15) return void person.view(channel);
  if (reads < 18) return void person.older(channel);
  if (reads === 18) return person.cut();
  if (reads < 20 && message)
    return void (await admin.patch(`/messages/${message.id}`, { content: 'changed' }));
  if (reads < 24 && message) return void (await admin.delete(`/messages/${message.id}`));
  if (reads < 26 && message) return void (await admin.post('/pins', { messageId: message.id }));
  if (reads < 28 && message) {
    const { data } = await admin.post('/threads', { messageId: message.id });
    return data && send({ threadId: data.id });
  }
  if (reads < 30 && message) {
    person.browser.place = server.id;
    return void (await person.browser.api.post('/reactions', { messageId: message.id, emoji: '👍' }));
  }
  if (reads === 30 && channels.length > 3) {
    channels.splice(channels.indexOf(channel), 1);
    return void (await admin.delete(`/channels/${channel.id}`));
  }
  if (reads === 31) return void channels.push(await scene.channel());
  if (reads < 34) {
    const isPrivate = choice.of([true, false]);
    const fields = { private: isPrivate, roleIds: choice.of([[], [inside.id]]) };
    return void (await admin.patch(`/channels/${channel.id}`, fields));
  }
  if (reads < 38) {
    const { data: held } = await admin.get(`/servers/${server.id}/members?limit=100&q=${user.username}`);
    const has = held[0]?.roleIds.includes(inside.id);
    if (!has) return void (await admin.post('/user-roles', { userId: user.id, roleId: inside.id }));
    return takeRole(place, user);
  }
  if (reads === 38)
    return void (await admin.patch(`/roles/${inside.id}`, { canAdmin: choice.of([true, false]) }));
  const { data: list } = await admin.get(`/servers/${server.id}/members?limit=100&q=${user.username}`);
  if (list[0]) await admin.delete(`/server-members/${list[0].id}`);
  else await admin.post('/server-members', { userId: user.id });
}

async function takeRole({ scene, inside }: Place, user: Json): Promise<void> {
  const { db } = world.data;
  const rows = await db.read.all(find('userRole', { userId: user.id, roleId: inside.id }));
  for (const { id } of rows) await scene.admin.delete(`/user-roles/${id}`);
}

const sorted = (rows: Iterable<Json>): Json[] => [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));

/** The fields of a thread, pin or reaction that views and events share. */
const shownOf = ({ id, messageId, emoji, creatorId, name, replyCount }: Json) =>
  JSON.stringify({ id, messageId, emoji, creatorId, name, replyCount });

/** Throws unless the replica equals fresh responses. */
async function compare({ replica, browser }: Person, { scene }: Place): Promise<void> {
  const { id: serverId } = scene.server;
  browser.place = serverId;
  const answer = await browser.get(`/servers/${serverId}/snapshot`);
  const here = replica.servers.get(serverId);
  const ofServer = (noun: string) =>
    sorted(replica.table(noun).values()).filter((row) => row.serverId === serverId);
  if (answer.status === 403) {
    assert.equal(here, undefined, 'a server that the person has left');
    assert.deepEqual(ofServer('message'), [], 'and everything in it');
    return;
  }
  const { channels, standing, server } = dataOf(answer);
  assert.deepEqual(here?.standing.roleIds.toSorted(), standing.roleIds.toSorted(), 'roles');
  assert.deepEqual(here.standing.flags, standing.flags);
  assert.deepEqual(here.server, server);
  assert.deepEqual(ofServer('channel'), sorted(channels), 'channels');
  for (const { id } of channels) {
    if (!replica.ranges.has(id)) continue;
    const held = replica.messages(id);
    const { from } = replica.ranges.get(id);
    const fresh: Json[] = [];
    const beside: Record<string, string[]> = { reactions: [], threads: [], pins: [] };
    for (let before: string | undefined; ; ) {
      const query: string = before === undefined ? '' : `&before=${before}`;
      const shown = dataOf(await browser.get(`/channels/${id}/view?limit=100${query}`));
      fresh.unshift(...shown.messages);
      for (const [name, rows] of Object.entries(beside))
        rows.push(...shown[name].filter((row: Json) => row.messageId >= from).map(shownOf));
      if (shown.before === null) break;
      before = shown.before;
    }
    assert.deepEqual(
      held,
      fresh.filter((row) => row.id >= from),
      `messages from ${from} on`,
    );
    const ids = new Set(held.map((row: Json) => row.id));
    for (const [name, rows] of Object.entries(beside)) {
      const found = sorted(replica.table(name.slice(0, -1)).values()).filter((row) => ids.has(row.messageId));
      assert.deepEqual(found.map(shownOf).sort(), rows.sort(), name);
    }
  }
}

test('a replica updated by events matches fresh API responses in every round', async () => {
  const random = numbers(seed);
  const next = () => random.next().value as number;
  const user = await world.user();
  const places: Place[] = [];
  for (let count = 0; count < 2; count++) {
    const scene = await Scene.open(world);
    await world.member(scene.server, user);
    const inside = await scene.role();
    const closed = await scene.channel({ private: true, roleIds: [inside.id] });
    places.push({
      scene,
      inside,
      channels: [await scene.channel(), await scene.channel(), closed],
      messages: [],
    });
  }
  const person = new Person(await Browser.of(world, user), random);
  person.start();
  try {
    await live(person, places, user, next);
  } finally {
    await person.stop();
  }
});

/** Rounds of random writes, each followed by a comparison. */
async function live(person: Person, places: Place[], user: Json, next: () => number): Promise<void> {
  let compared = 0;
  // The number of ranges depends on chance: the person may be outside both servers for most rounds.
  for (let round = 0; round < ROUNDS || (round < 4 * ROUNDS && compared <= ROUNDS / 2); round++) {
    for (const channel of places.flatMap(({ channels }) => channels)) void person.view(channel);
    for (let write = 0; write < WRITES; write++) {
      const place = places[next() % 2] as Place;
      const choice = new Choice(Array.from({ length: 6 }, next));
      await act(place, person, user, choice, next());
    }
    for (const place of places) {
      let problem: unknown;
      const isSame = async () => {
        // A reset clears everything shown before it, and a late window is dropped, so the person requests the window
        // again.
        const { replica } = person;
        const away = place.channels.filter(
          ({ id }) => replica.table('channel').has(id) && !replica.ranges.has(id),
        );
        await Promise.all(away.map((channel) => person.view(channel)));
        return compare(person, place).then(
          () => person.isQuiet,
          (error) => {
            problem = error;
            return false;
          },
        );
      };
      await until(isSame, PATIENCE_MS, 50).catch(() => {
        throw new Error(`round ${round}, seed ${seed}`, { cause: problem });
      });
      compared += person.replica.ranges.size;
    }
  }
  assert.ok(compared > ROUNDS / 2, `${compared} ranges`);
}
