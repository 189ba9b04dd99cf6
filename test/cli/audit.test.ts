import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import { type Json, World } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

/** Runs commands about users, servers, members, keys and flows. Some of them change nothing, and one fails. */
async function runCommands({
  palaver,
  json,
}: {
  palaver: (...args: string[]) => ReturnType<Stage['run']>;
  json: (...args: string[]) => Promise<Json>;
}) {
  const ada = await json('user', 'create', '--username', 'ada', '--name', 'Augusta');
  const server = await json('server', 'create', '--name', 'Engine', '--owner', ada.id);
  const bob = await json('user', 'create', '--username', 'bob');
  const member = await json('member', 'add', '--server', server.id, '--user', bob.id);
  const key = await json('key', 'create', '--server', server.id, '--user', bob.id);
  const rotated = await json('key', 'rotate', key.id);
  await json('key', 'revoke', key.id);
  const flow = await json(
    'flow',
    'create',
    '--server',
    server.id,
    '--name',
    'F',
    '--trigger',
    '{"on":"manual"}',
    '--steps',
    '[]',
  );
  const run = await json('flow', 'run', flow.id);
  await json('flow', 'disable', flow.id);
  await json('flow', 'enable', flow.id);
  await json('flow', 'list');
  await json('flow', 'runs', flow.id);
  await json('flow', 'delete', flow.id);
  await json('user', 'list');
  assertFailed(await palaver('user', 'create', '--username', 'ada'), /taken/);
  return { ada, bob, server, member, key, rotated, flow, run };
}

test('every command that changes something is recorded with its change, and other commands are not recorded', async () => {
  const folder = stage.folder();
  assert.equal(await (await stage.start(folder)).end(), 0);
  const palaver = (...args: string[]) => stage.run([...args, '--data', folder, '--json']);
  const json = async (...args: string[]): Promise<Json> => jsonOf(await palaver(...args));
  assert.deepEqual(await json('audit'), []);
  const from = Date.now();
  const { ada, bob, server, member, key, rotated, flow, run } = await runCommands({ palaver, json });
  if (!(await stage.place(folder)).database) await json('backup', `${folder}/backup`);
  await json('secret', 'rotate');
  await json('user', 'erase', '--username', 'ada', '--messages', 'keep');

  const recorded: Json[] = await json('audit');
  assert.deepEqual(
    recorded.map(({ command, about }) => [command, about.id]),
    [
      ['user create', ada.id],
      ['server create', server.id],
      ['user create', bob.id],
      ['member add', member.id],
      ['key create', key.id],
      ['key rotate', key.id],
      ['key revoke', key.id],
      ['flow create', flow.id],
      ['flow run', run.id],
      ['flow disable', flow.id],
      ['flow enable', flow.id],
      ['flow delete', flow.id],
      ['secret rotate', undefined],
      ['user erase', ada.id],
    ],
  );
  for (const { at, account } of recorded) {
    assert.ok(at >= from - 5 && at <= Date.now() + 5, `${at}`);
    assert.equal(account, userInfo().username);
  }
  const text = JSON.stringify(recorded);
  for (const secret of ['Augusta', key.key, rotated.key]) assert.ok(!text.includes(secret), secret);
  const world = await World.open({ place: await stage.place(folder) });
  assert.deepEqual(await json('audit'), recorded, 'starting records nothing');
  await world.close();
});
