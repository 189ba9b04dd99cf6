import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { Browser } from '../../support/account.ts';
import { Choice } from '../../support/choice.ts';
import { dataOf } from '../../support/expect.ts';
import { numbers } from '../../support/numbers.ts';
import { until } from '../../support/process.ts';
import { Network, type Session, tabOf } from '../../support/replicas.ts';
import { Scene } from '../../support/scene.ts';
import { find } from '../../support/sources.ts';
import { type Json, World } from '../../support/world.ts';

// Runs replicas through random writes by several people in two servers, broken streams, late responses, and lost and
// regained permissions. Afterwards each replica has to equal fresh responses.

const ROUNDS = 6;
const WRITES = 40;
const MAX_LATE_MS = 300;
/** Edits choose among the latest messages, which are on the screen. */
const CHOSEN = 6;
/**
 * Long enough for a round, which takes seven seconds on a busy machine. Must be shorter than the time until a
 * silent stream reconnects, because reconnecting might deliver events that were missed.
 */
const PATIENCE_MS = 15_000;
const seed = Number(process.env.PALAVER_TEST_SEED ?? 1);

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

interface Place {
  scene: Scene;
  /** The role that sees the private channels. */
  inside: Json;
  channels: Json[];
  messages: Json[];
  threads: Json[];
}

interface Person {
  user: Json;
  browser: Browser;
  network: Network;
  session: Session;
}

/** The delays of a session, shortened to keep rounds short. */
const hurried = {
  ...realAround,
  after: (ms: number, run: () => void) => realAround.after(ms > 15_000 ? ms : ms / 20, run),
};

async function say({ scene: { admin }, messages }: Place, body: object): Promise<void> {
  const { status, data } = await admin.post('/messages', { content: world.unique('text'), ...body });
  if (status === 200) messages.push(data);
}

/** Assigns the role that sees the private channels to the user, or removes it. */
async function toggleRole({ scene: { admin }, inside }: Place, user: Json): Promise<void> {
  const rows = await world.data.db.read.all(find('userRole', { userId: user.id, roleId: inside.id }));
  if (rows.length === 0) await admin.post('/user-roles', { userId: user.id, roleId: inside.id });
  for (const { id } of rows) await admin.delete(`/user-roles/${id}`);
}

/** Adds the user to the server, or removes them. */
async function toggleMember({ scene: { admin, server } }: Place, user: Json): Promise<void> {
  const { data: list } = await admin.get(`/servers/${server.id}/members?limit=100&q=${user.username}`);
  if (list[0]) await admin.delete(`/server-members/${list[0].id}`);
  else await admin.post('/server-members', { userId: user.id });
}

/** Makes one random change or request. */
async function act(place: Place, person: Person, choice: Choice, kind: number): Promise<void> {
  const { scene, inside, channels, messages, threads } = place;
  const { admin, server } = scene;
  const { user, session, network, browser } = person;
  const { actions } = session;
  const channel = choice.of(channels);
  const message = messages.length > 0 ? choice.of(messages.slice(-CHOSEN)) : undefined;
  const send = (body: object) => say(place, body);
  const quietly = (done: Promise<unknown>) => void done.catch(() => undefined);
  const step = kind % 46;
  if (step < 9) return send({ channelId: channel.id });
  if (step < 12) return quietly(actions.openChannel(channel.id, { serverId: server.id }));
  if (step < 15) return quietly(actions.older(channel.id));
  if (step === 15 && message) return quietly(actions.jump(message.channelId, message.id));
  if (step === 16) return quietly(actions.newer(channel.id));
  if (step === 17) return quietly(actions.toPresent(channel.id));
  if (step === 18) return network.cut();
  if (step < 20 && message)
    return void (await admin.patch(`/messages/${message.id}`, { content: 'changed' }));
  if (step < 24 && message) return void (await admin.delete(`/messages/${message.id}`));
  if (step < 26 && message) return void (await admin.post('/pins', { messageId: message.id }));
  if (step < 28 && message) {
    const { data } = await admin.post('/threads', { messageId: message.id });
    if (!data) return;
    threads.push(data);
    return send({ threadId: data.id });
  }
  if (step < 30 && message) {
    browser.place = server.id;
    return void (await browser.api.post('/reactions', { messageId: message.id, emoji: '👍' }));
  }
  if (step === 30 && channels.length > 3) {
    channels.splice(channels.indexOf(channel), 1);
    return void (await admin.delete(`/channels/${channel.id}`));
  }
  if (step === 31) return void channels.push(await scene.channel());
  if (step < 34) {
    const fields = { private: choice.flag(), roleIds: choice.of([[], [inside.id]]) };
    return void (await admin.patch(`/channels/${channel.id}`, fields));
  }
  if (step < 37) return toggleRole(place, user);
  if (step === 37) return void (await admin.patch(`/roles/${inside.id}`, { canAdmin: choice.flag() }));
  if (step === 38) return toggleMember(place, user);
  if (step < 41 && message)
    return void quietly(Promise.resolve().then(() => actions.markRead(message.channelId, message.id)));
  if (step === 41 && message)
    return quietly(Promise.resolve().then(() => actions.markUnread(message.channelId, message.id)));
  if (step === 42)
    return void (await admin.post('/messages', { channelId: channel.id, content: `<@${user.id}> hi` }));
  if (step === 43 && threads.length > 0)
    return quietly(actions.openThread(choice.of(threads).id, { serverId: server.id }));
  if (step === 44 && session.replica.row('channel', channel.id))
    return quietly(
      actions.send({ serverId: server.id, channelId: channel.id, content: world.unique('own') }),
    );
  if (step === 45 && threads.length > 0)
    return void (await admin.delete(`/threads/${choice.of(threads.slice(-3)).id}`));
}

const sorted = (rows: Iterable<Json>): Json[] => [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));

/** The fields of a thread, pin or reaction that views and events share. */
const shownOf = ({ id, messageId, emoji, creatorId, name, replyCount }: Json) =>
  JSON.stringify({ id, messageId, emoji, creatorId, name, replyCount });

/** All windows of a channel, combined. */
async function wholeOf(browser: Browser, channelId: string): Promise<Record<string, Json[]>> {
  const whole: Record<string, Json[]> = { messages: [], reactions: [], threads: [], pins: [] };
  for (let before: string | null = ''; before !== null; ) {
    const path = `/channels/${channelId}/view?limit=100&isThreadReply=false`;
    const shown: Json = dataOf(await browser.get(`${path}${before && `&before=${before}`}`));
    for (const [name, rows] of Object.entries(whole)) rows.unshift(...shown[name]);
    before = shown.before;
  }
  return whole;
}

/** Throws unless the replica equals fresh responses. Returns the number of lines compared. */
async function compare({ session, browser }: Person, { scene }: Place): Promise<number> {
  const { replica, lines, reading } = session;
  const { id: serverId } = scene.server;
  browser.place = serverId;
  const answer = await browser.get(`/servers/${serverId}/snapshot`);
  const here = replica.states.get(serverId);
  if (answer.status === 403) {
    assert.equal(here, undefined, 'a server that the person has left');
    assert.deepEqual(
      replica.all('message').filter((row) => row.serverId === serverId),
      [],
      'and everything in it',
    );
    return 0;
  }
  const { channels, roles, standing, server, reading: counts } = dataOf(answer);
  assert.deepEqual(here?.standing.roleIds.toSorted(), standing.roleIds.toSorted(), 'roles of the person');
  assert.deepEqual(here?.standing.flags, standing.flags);
  assert.deepEqual(replica.row('server', serverId), server);
  assert.deepEqual(sorted(replica.rows('channel', 'serverId', serverId)), sorted(channels), 'channels');
  assert.deepEqual(sorted(replica.rows('role', 'serverId', serverId)), sorted(roles), 'roles');
  for (const row of counts.channels) assert.deepEqual(reading.channel(row.channelId), row, 'reading state');
  assert.equal(reading.server(serverId).notifications, counts.notifications, 'notifications');
  let compared = 0;
  for (const { id } of channels) {
    const [line, reach] = [lines.get(id), lines.reach(id)];
    if (!line || !reach) {
      assert.ok(!lines.isOpen(id), 'an open channel has its messages');
      continue;
    }
    compared++;
    const fresh = await wholeOf(browser, id);
    const isHere = (of: string) => of >= reach.from && (reach.to === null || of <= reach.to);
    const held = line.ids.map((of) => replica.row('message', of));
    assert.deepEqual(
      held,
      fresh.messages?.filter((row) => isHere(row.id)),
      `messages of ${id}`,
    );
    for (const name of ['reactions', 'threads', 'pins'] as const) {
      const noun = name.slice(0, -1) as 'reaction' | 'thread' | 'pin';
      const found: Json[] = line.ids.flatMap((of) => replica.rows(noun, 'messageId', of));
      const wanted: Json[] = fresh[name]?.filter((row) => line.ids.includes(row.messageId)) ?? [];
      assert.deepEqual(found.map(shownOf).sort(), wanted.map(shownOf).sort(), name);
    }
  }
  return compared;
}

async function personIn(places: readonly Place[], random: () => number): Promise<Person> {
  const user = await world.user();
  for (const { scene } of places) await world.member(scene.server, user);
  const browser = await Browser.of(world, user);
  const network = new Network(browser);
  network.lateness = () => random() % MAX_LATE_MS;
  return { user, browser, network, session: tabOf(network, { around: hurried }) };
}

/**
 * Reloads a person's page: it requests a channel immediately, and the session starts when the returned
 * function is called.
 */
function reloading(person: Person, { scene: { server }, channels }: Place, random: () => number): () => void {
  const { network } = person;
  const { id } = new Choice([random()]).of(channels);
  const answered = <T>(asking: PromiseLike<T>) => Promise.resolve(asking).catch(() => undefined);
  const snapshot = answered(network.api('none').serverSnapshot({ id: server.id }));
  const view = answered(network.api(server.id).channelView({ id, isThreadReply: false }));
  const ahead = { server: { id: server.id, snapshot }, channel: { id, around: undefined, view } };
  return () => {
    person.session.stop();
    person.session = tabOf(network, { around: hurried, ahead, hasKept: false });
    person.session.actions.openChannel(id, { serverId: server.id }).catch(() => undefined);
  };
}

test('replicas updated by events equal fresh responses, in every round', async () => {
  const random = numbers(seed);
  const next = () => random.next().value as number;
  const places: Place[] = [];
  for (let count = 0; count < 2; count++) {
    const scene = await Scene.open(world);
    const inside = await scene.role();
    const closed = await scene.channel({ private: true, roleIds: [inside.id] });
    const channels = [await scene.channel(), await scene.channel(), closed];
    places.push({ scene, inside, channels, messages: [], threads: [] });
  }
  const people = [await personIn(places, next), await personIn(places, next)];
  let compared = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const reload = reloading(people[round % 2] as Person, places[next() % 2] as Place, next);
      for (let write = 0; write < WRITES; write++) {
        if (write === WRITES / 2) reload();
        const place = places[next() % 2] as Place;
        const person = people[next() % 2] as Person;
        await act(place, person, new Choice(Array.from({ length: 6 }, next)), next());
      }
      for (const person of people)
        for (const place of places) {
          let problem: unknown;
          const isSame = async () => {
            try {
              compared += await compare(person, place);
              return person.network.underWay === 0;
            } catch (error) {
              problem = error;
              return false;
            }
          };
          await until(isSame, PATIENCE_MS, 100).catch(() => {
            throw new Error(`round ${round}, seed ${seed}`, { cause: problem });
          });
        }
    }
  } finally {
    for (const { session } of people) session.stop();
  }
  assert.ok(compared > 0, `${compared} lines`);
});
