import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Caller, present } from '../../server/src/access/authenticator.ts';
import { servicesOf } from '../../server/src/app.ts';
import type { RawInput } from '../../server/src/operations/operation.ts';
import { perform } from '../../server/src/operations/perform.ts';
import type { Services } from '../../server/src/operations/services.ts';
import { operator, step, transact, type Work, workIn } from '../../server/src/operations/work.ts';
import type { WriteOperation } from '../../server/src/operations/write.ts';
import { operations } from '../../server/src/resources/index.ts';
import { EventStream } from '../support/eventStream.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { limitsFrom } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Steps of a write: a refusal that the write catches rolls back its step, and the rest is committed.

let world: World;
let scene: Scene;
let services: Services;
let caller: Caller;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  services = servicesOf({ ...world.data, feed: world.feed, limits: limitsFrom({}) });
  caller = await callerOf(scene.admin);
});
after(() => world.close());

const callerOf = async ({ key }: Client): Promise<Caller> =>
  services.authenticator.authenticate(present('apiKey', key));

const rowOf = (name: string) =>
  operations.find(({ operation }) => operation === name) as unknown as WriteOperation;

type Perform = (name: string, input: RawInput, by?: Caller) => Promise<Json>;

const performIn =
  (work: Work): Perform =>
  async (name, input, by = caller) => {
    const { data, text } = await perform(services, rowOf(name), by, input, { within: work });
    return (data as Json) ?? JSON.parse(String(text)).data;
  };

/** Runs a write for the scene's server. */
const write = <T>(task: (perform: Perform, work: Work) => Promise<T>): Promise<T> =>
  transact(
    services,
    (tx, pending) => {
      const work = workIn(tx, services, operator, pending);
      return task(performIn(work), work);
    },
    scene.server.id,
  );

/** The code of a refusal that the write has caught. */
const codeOf = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => 'none',
    (error) => error.code ?? error.message,
  );

const contentsIn = async (channelId: string): Promise<string[]> =>
  (await scene.admin.get(`/channels/${channelId}/messages`)).data
    .map(({ content }: Json) => content)
    .toReversed();

const typesSince = async (begin: number): Promise<string[]> =>
  (await logOf(world, scene.server.id, begin)).map(({ type }) => type);

test('refusals that a write catches have their codes, and the rest of the write is committed', async () => {
  const channel = await scene.channel();
  const message = await scene.message({ channelId: channel.id, content: 'before' });
  await scene.make('/pins', { messageId: message.id });
  const nobody = await callerOf(await world.client(scene.server, []));
  const send = (content: unknown): [string, RawInput] => [
    'messageSend',
    { body: { channelId: channel.id, content } },
  ];
  const begin = await endOf(world, scene.server.id);
  const refusals: [string, RawInput, string, Caller?][] = [
    [...send(5), 'INVALID_REQUEST'],
    ['messageSend', { body: { channelId: 'none', content: 'x' } }, 'NOT_FOUND'],
    [...send('x'), 'FORBIDDEN', nobody],
    ['channelInsert', { body: { name: channel.name.toUpperCase() } }, 'ALREADY_EXISTS'],
    ['pinInsert', { body: { messageId: message.id } }, 'ALREADY_EXISTS'],
  ];
  const codes = await write(async (perform) => {
    const caught: string[] = [];
    await perform(...send('first'));
    for (const [name, input, , by] of refusals) caught.push(await codeOf(perform(name, input, by)));
    await perform(...send('last'));
    return caught;
  });
  assert.deepEqual(
    codes,
    refusals.map(([, , code]) => code),
  );
  assert.deepEqual(await contentsIn(channel.id), ['before', 'first', 'last']);
  assert.deepEqual(await typesSince(begin), ['message.created', 'message.created']);
});

test('ALREADY_EXISTS names the existing record, even one from the same write', async () => {
  const name = world.unique('channel');
  const [made, refusal] = await write(async (perform) => {
    const channel = await perform('channelInsert', { body: { name } });
    const error = await perform('channelInsert', { body: { name } }).catch((error) => error);
    return [channel, error];
  });
  assert.deepEqual([refusal.code, refusal.details], ['ALREADY_EXISTS', { id: made.id }]);
  assert.equal((await scene.admin.get(`/channels/${made.id}`)).data.name, name);
});

test('a rejected update changes nothing, and a repeated step is rejected again', async () => {
  const [one, other] = [await scene.channel(), await scene.channel()];
  const rename = { params: { id: one.id }, body: { name: other.name } };
  const codes = await write(async (perform) => {
    const first = await codeOf(perform('channelUpdate', rename));
    const again = await codeOf(perform('channelUpdate', rename));
    await perform('channelUpdate', { params: { id: one.id }, body: { description: 'Described' } });
    return [first, again];
  });
  assert.deepEqual(codes, ['ALREADY_EXISTS', 'ALREADY_EXISTS']);
  const read = (await scene.admin.get(`/channels/${one.id}`)).data;
  assert.deepEqual([read.name, read.description], [one.name, 'Described']);
});

test('a failing outer step rolls back its nested steps, and a failing nested step does not affect the others', async () => {
  const { id: channelId, name } = await scene.channel();
  const send = (content: string): [string, RawInput] => ['messageSend', { body: { channelId, content } }];
  const taken: [string, RawInput] = ['channelInsert', { body: { name } }];
  const begin = await endOf(world, scene.server.id);
  const stream = await EventStream.open(world, scene.admin.key);
  const codes = await write(async (perform, work) => {
    await perform(...send('kept 1'));
    const outer = await codeOf(
      step(work, async () => {
        await perform(...send('lost'));
        await perform('channelInsert', { body: { name: world.unique('lost') } });
        await perform('indicatorInsert', { body: { channelId, type: 'typing' } });
        await step(work, () => perform(...send('lost too')));
        await perform(...taken);
      }),
    );
    const inner = await step(work, async () => {
      await perform(...send('kept 2'));
      const code = await codeOf(
        step(work, async () => {
          await perform(...send('lost again'));
          await perform(...taken);
        }),
      );
      await perform(...send('kept 3'));
      return code;
    });
    await perform(...send('kept 4'));
    return [outer, inner];
  });
  assert.deepEqual(codes, ['ALREADY_EXISTS', 'ALREADY_EXISTS']);
  const kept = ['kept 1', 'kept 2', 'kept 3', 'kept 4'];
  assert.deepEqual(await contentsIn(channelId), kept);
  assert.deepEqual(
    await typesSince(begin),
    kept.map(() => 'message.created'),
  );
  const got = await stream.event(({ data }) => data.content === 'kept 4');
  assert.equal(got.type, 'message.created');
  assert.deepEqual(
    stream.events.map(({ data }) => data.content),
    kept,
  );
  stream.close();
});

test('a step sees permissions as changed by earlier steps', async () => {
  const { id: channelId } = await scene.channel();
  const user = await world.user();
  const client = await world.client(scene.server, ['canEditData'], user);
  const writer = await callerOf(client);
  const body = { channelId, content: 'x' };
  const path = `/servers/${scene.server.id}/members?limit=100`;
  const member = (await scene.admin.get(path)).data.find(({ userId }: Json) => userId === user.id);
  const codes = await write(async (perform) => {
    const before = await codeOf(perform('messageSend', { body }, writer));
    const kept = await codeOf(
      perform('serverMemberDelete', { params: { id: member.id } }).then(() =>
        perform('messageSend', { body }, writer),
      ),
    );
    return [before, kept];
  });
  assert.deepEqual(codes, ['none', 'INVALID_API_KEY']);
  assert.deepEqual(await contentsIn(channelId), ['x']);
});

test('writes in the same batch keep their changes, even when one fails after a caught refusal', async () => {
  const channel = await scene.channel();
  const { id: channelId, name } = channel;
  const send = (content: string): [string, RawInput] => ['messageSend', { body: { channelId, content } }];
  const written = (content: string, fails: boolean) =>
    write(async (perform) => {
      await perform(...send(content));
      const code = await codeOf(perform('channelInsert', { body: { name } }));
      if (fails) throw new Error(`after ${code}`);
      return code;
    });
  const alone = (content: string) => perform(services, rowOf('messageSend'), caller, send(content)[1]);
  const outcomes = await Promise.allSettled([
    alone('1'),
    written('2', false),
    alone('3'),
    written('never', true),
    alone('4'),
    written('5', false),
    write((perform) => perform('channelInsert', { body: { name } })),
    alone('6'),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason.code ?? outcome.reason.message) : 'done',
    ),
    ['done', 'done', 'done', 'after ALREADY_EXISTS', 'done', 'done', 'ALREADY_EXISTS', 'done'],
  );
  assert.deepEqual((await contentsIn(channelId)).toSorted(), ['1', '2', '3', '4', '5', '6']);
});

test('a write with two concurrent steps fails and is rolled back', async () => {
  const { id: channelId } = await scene.channel();
  await assert.rejects(
    write(async (_, work) => {
      const begun = Promise.withResolvers<void>();
      const first = step(work, async () => {
        await begun.promise;
        await performIn(work)('messageSend', { body: { channelId, content: 'one' } });
      });
      const second = step(work, async () => {
        begun.resolve();
        await first;
        await performIn(work)('messageSend', { body: { channelId, content: 'two' } });
      });
      await Promise.allSettled([first, second]);
    }),
    /overlap/,
  );
  assert.deepEqual(await contentsIn(channelId), []);
});
