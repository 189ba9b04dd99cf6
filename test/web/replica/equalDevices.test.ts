import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { Browser } from '../../support/account.ts';
import { Choice } from '../../support/choice.ts';
import { dataOf } from '../../support/expect.ts';
import { Hook, postTo } from '../../support/hookPost.ts';
import { numbers } from '../../support/numbers.ts';
import { until } from '../../support/process.ts';
import { Network, type Session, tabOf } from '../../support/replicas.ts';
import { type Json, World } from '../../support/world.ts';

// Two devices of one person, with drafts on both, messages from apps, another member's presence, broken streams, late
// or lost responses, and clocks that jump. Afterwards both devices have to show the server's state.

const ROUNDS = 5;
const ACTS = 40;
const MAX_LATE_MS = 200;
const JUMP_MS = 600_000;
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

interface Device {
  network: Network;
  session: Session;
  /** The skew of the device's clock, in milliseconds. */
  clock: { ahead: number };
}

async function deviceOf(user: Json, random: () => number): Promise<Device> {
  const network = new Network(await Browser.of(world, user));
  const clock = { ahead: 0 };
  network.lateness = () => random() % MAX_LATE_MS;
  network.fault = (name) => {
    if (/^(draftSave|messageSend|presences|channelView)$/.test(name) && random() % 12 === 0)
      throw new TypeError('the network broke');
  };
  const around = {
    ...realAround,
    now: () => Date.now() + clock.ahead,
    after: (ms: number, run: () => void) => realAround.after(ms > 15_000 ? ms : ms / 20, run),
  };
  return { network, clock, session: tabOf(network, { around }) };
}

interface Setting {
  hook: Hook;
  channels: Json[];
  /** The person's two devices, and another of their browsers, which only reads. */
  devices: Device[];
  fresh: Browser;
  /** The member whose presence changes. */
  other: Json;
  theirs: Browser;
}

const quietly = (done: Promise<unknown>) => void done.catch(() => undefined);

async function act({ hook, channels, devices, theirs }: Setting, choice: Choice): Promise<void> {
  const { scene, made } = hook;
  const { id: serverId } = scene.server;
  const { session, network, clock } = choice.of(devices);
  const { actions, drafts } = session;
  const channel = choice.of(channels);
  const place = { serverId, channelId: channel.id };
  const step = choice.of([...'ddddeshhppcjjkr']);
  const isKnown = session.replica.row('channel', channel.id) !== undefined;
  if (step === 'd' && isKnown) actions.saveDraft(channel.id, world.unique('draft'));
  else if (step === 'e' && isKnown) actions.saveDraft(channel.id, '');
  else if (step === 's' && isKnown)
    quietly(actions.send({ ...place, content: drafts.get(channel.id).content || world.unique('said') }));
  else if (step === 'h') await postTo(world, made.path, { text: world.unique('hook') });
  else if (step === 'p')
    dataOf(
      await theirs.patch('/presence/me', {
        status: choice.of(['online', 'idle', 'dnd']),
        text: choice.of(['', 'away']),
      }),
    );
  else if (step === 'c') network.cut();
  else if (step === 'j') {
    // A machine that slept, or whose clock was corrected.
    clock.ahead += choice.of([JUMP_MS, -JUMP_MS]);
    actions.reconnect();
  } else if (step === 'k') quietly(actions.openChannel(channel.id, { serverId }));
  else if (step === 'r')
    dataOf(await scene.admin.post('/messages', { channelId: channel.id, content: 'by a key' }));
}

/** Throws unless the device shows the server's state. Returns the number of drafts compared. */
async function compare({ hook, channels, fresh, other }: Setting, device: Device): Promise<number> {
  const { session, network } = device;
  const { scene } = hook;
  let drafted = 0;
  const { drafts, lines, live, replica, outbox } = session;
  assert.equal(network.underWay, 0);
  const { drafts: saved } = dataOf(
    await fresh.get(`/reading?channelIds=${channels.map(({ id }) => id).join()}`),
  );
  for (const { id } of channels) {
    const draft = saved.find((one: Json) => one.channelId === id);
    const here = drafts.get(id);
    assert.equal(here.content, draft?.content ?? '', `the draft of ${id}`);
    assert.ok(here.isSaved, `the draft of ${id}`);
    if (draft) drafted++;
    const rows: Json[] = dataOf(await scene.admin.get(`/channels/${id}/messages?limit=100`)).reverse();
    const line = lines.get(id);
    assert.ok(line?.atEnd, `the end of ${id}`);
    const first = rows.findIndex((row) => row.id === line.ids[0]);
    assert.deepEqual(
      line.ids.slice(-rows.length).map((of) => replica.row('message', of)?.content),
      rows.slice(Math.max(first, 0)).map(({ content }) => content),
    );
    assert.deepEqual(outbox.at(id), []);
  }
  const { people } = dataOf(await fresh.get(`/presence?userIds=${other.id}`));
  const { status, text } = live.presence(scene.server.id, other.id) ?? {};
  assert.deepEqual({ status, text }, { status: people[0]?.status, text: people[0]?.text });
  return drafted;
}

test("two devices of a person show the server's state, in every round", async () => {
  const random = numbers(seed);
  const next = () => random.next().value as number;
  const hook = await Hook.open(world);
  const { scene } = hook;
  const { id: serverId } = scene.server;
  const [user, other] = [await world.user(), await world.user()];
  for (const each of [user, other]) await world.member(scene.server, each);
  const channels = [hook.channel, await scene.channel()];
  const devices = [await deviceOf(user, next), await deviceOf(user, next)];
  const [theirs, fresh] = [await Browser.of(world, other), await Browser.of(world, user, scene.server)];
  const setting = { hook, channels, devices, theirs, fresh, other };
  let drafted = 0;
  const stream = await theirs.stream();
  try {
    for (const { session } of devices) {
      await until(() => session.replica.row('channel', channels[0].id) !== undefined);
      session.actions.watchPresence(serverId, [other.id]);
      for (const { id } of channels)
        await until(() =>
          session.actions.openChannel(id, { serverId }).then(
            () => true,
            () => false,
          ),
        );
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (let count = 0; count < ACTS; count++) {
        await act(setting, new Choice(Array.from({ length: 6 }, next)));
        if (count % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      for (const device of devices) {
        let problem: unknown;
        const isSame = async () => {
          try {
            drafted += await compare(setting, device);
            return true;
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
    stream.close();
    for (const { session } of devices) session.stop();
  }
  assert.ok(drafted > 0, `${drafted} drafts`);
});
