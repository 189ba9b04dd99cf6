import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const stage = new Stage();
let folder: string;
let server: Running;
before(async () => {
  folder = stage.folder();
  server = await stage.start(folder);
});
after(() => stage.close());

const palaver = (...args: string[]) => stage.run([...args, '--data', folder]);
const json = async (...args: string[]): Promise<Json> => jsonOf(await palaver(...args, '--json'));

/** Asserts that a command without --json prints its record, one field per line. */
async function assertPrints(args: string[], lines: RegExp[]): Promise<void> {
  const { code, stdout, stderr } = await palaver(...args);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  for (const line of lines) assert.match(stdout, line);
  assert.throws(() => JSON.parse(stdout));
}

test('user create and user list print users', async () => {
  const ada = await json('user', 'create', '--username', 'Ada.L');
  assert.match(ada.id, UUID_V7);
  const { id, createdAt, updatedAt, ...fields } = ada;
  assert.deepEqual(fields, {
    username: 'ada.l',
    name: 'Ada.L',
    image: null,
    type: 'person',
    platformAdmin: false,
    creatorId: null,
  });
  assert.equal(createdAt, updatedAt);
  const bot = await json('user', 'create', '--username', 'bot', '--name', 'Weather bot', '--agent');
  assert.equal(bot.type, 'agent');
  assert.equal(bot.name, 'Weather bot');
  const chief = await json('user', 'create', '--username', 'chief', '--platform-admin');
  assert.equal(chief.platformAdmin, true);
  const listed = await json('user', 'list');
  assert.deepEqual(listed.slice(-3), [ada, bot, chief]);
  await assertPrints(
    ['user', 'create', '--username', 'eve'],
    [/^username: eve$/m, /^platformAdmin: false$/m, /^image: null$/m],
  );
  await assertPrints(['user', 'list'], [/^username: ada\.l$/m, /^username: bot$/m]);
  assertFailed(await palaver('user', 'create', '--username', 'ADA.L', '--json'), /this username is taken/);
  assertFailed(await palaver('user', 'create', '--username', 'two words'), /username/);
  assertFailed(await palaver('user', 'create', '--username', ''), /username/);
  assertFailed(await palaver('user', 'create', '--username', 'fred', '--name', ' '), /name/);
  assertFailed(await palaver('user', 'create'), /--username/);
});

test('server create, server list and member add print their records', async () => {
  const owner = await json('user', 'create', '--username', 'owner');
  const guest = await json('user', 'create', '--username', 'guest');
  const made = await json('server', 'create', '--name', 'Garden', '--owner', owner.id);
  assert.equal(made.name, 'Garden');
  assert.equal(made.creatorId, owner.id);
  assert.equal(made.memberCount, 1);
  const member = await json('member', 'add', '--server', made.id, '--user', guest.id);
  assert.equal(member.serverId, made.id);
  assert.equal(member.userId, guest.id);
  const named = await json('user', 'create', '--username', 'named');
  const other = await json('member', 'add', '--server', made.id, '--username', 'Named');
  assert.equal(other.userId, named.id);
  const listed = await json('server', 'list');
  assert.deepEqual(listed.at(-1), { ...made, memberCount: 3, updatedAt: listed.at(-1).updatedAt });
  await assertPrints(
    ['server', 'create', '--name', 'Pond', '--owner', owner.id],
    [/^name: Pond$/m, /^memberCount: 1$/m],
  );
  await assertPrints(['server', 'list'], [/^name: Garden$/m, /^name: Pond$/m]);

  assertFailed(
    await palaver('member', 'add', '--server', made.id, '--user', guest.id, '--json'),
    /already a member of the server/,
  );
  assertFailed(await palaver('member', 'add', '--server', 'none', '--user', guest.id), /server not found/);
  assertFailed(await palaver('member', 'add', '--server', made.id, '--user', 'none'), /user not found/);
  assertFailed(await palaver('member', 'add', '--server', made.id), /either --username or --user/);
  const both = ['--username', 'named', '--user', guest.id];
  assertFailed(await palaver('member', 'add', '--server', made.id, ...both), /either --username or --user/);
  assertFailed(await palaver('member', 'add', '--server', made.id, '--username', 'nobody'), /nobody/);
  assertFailed(await palaver('server', 'create', '--name', '', '--owner', owner.id), /name/);
  assertFailed(await palaver('server', 'create', '--name', 'Lost', '--owner', 'none'), /user not found/);
});

test('flow create creates a flow that the running server reads', async () => {
  const [first] = await json('server', 'list');
  const trigger = '{"on":"event","type":"serverMember.created"}';
  const steps = [{ do: 'set', values: { say: 'Hello' } }];
  const made = await json(
    'flow',
    'create',
    '--server',
    first.id,
    '--name',
    'Greet',
    '--trigger',
    trigger,
    '--steps',
    JSON.stringify(steps),
  );
  assert.deepEqual(made.trigger, { on: 'event', type: 'serverMember.created' });
  assert.deepEqual(made.steps, steps);
  assert.equal(made.enabled, true);
  const { status, body } = await call(server, 'GET', `/api/v1/flows/${made.id}`, { key: server.key });
  assert.equal(status, 200);
  assert.deepEqual(body.data, made);
  const flow = (name: string, given: string, steps: string) =>
    palaver('flow', 'create', '--server', first.id, '--name', name, '--trigger', given, '--steps', steps);
  assertFailed(await flow('Bad', '{on}', '[]'), /--trigger must be well-formed JSON/);
  assertFailed(await flow('Bad', '{}', '{}'), /--steps must be a JSON array/);
  assertFailed(await flow('Bad', '{"on":"join"}', '[]'), /"join" is not a trigger/);
  assertFailed(await flow('', trigger, '[]'), /name/);
  await assertPrints(
    ['flow', 'create', '--server', first.id, '--name', 'Said', '--trigger', trigger, '--steps', '[]'],
    [/^name: Said$/m, /^trigger: \{"on":"event"/m],
  );
});

test('an unknown command is reported in one line', async () => {
  assertFailed(await stage.run(['nonsense']), /nonsense/);
  assertFailed(await stage.run(['user', 'remove']), /remove/);
  assertFailed(await stage.run(['user']), /missing command. Run palaver user --help/);
  assertFailed(await stage.run(['sart']), /Did you mean start\?/);
  assertFailed(await stage.run(['sart', '--help']), /Did you mean start\?/);
  assertFailed(await stage.run(['help', 'usr']), /Did you mean user\?/);
  assertFailed(
    await stage.run(['user', 'bogus', '--help']),
    /'bogus'\. Run palaver user --help to see the list$/m,
  );
  assertFailed(await palaver('user', 'list', '--jsn'), /--jsn.*Did you mean --json\?/);
  assertFailed(await palaver('user', 'list', 'extra'), /argument/i);
  assertFailed(await palaver('key', 'revoke'), /id/);
  const help = await stage.run(['--help']);
  assert.equal(help.code, 0);
  for (const name of [
    'start',
    'user',
    'server',
    'member',
    'key',
    'flow',
    'backup',
    'restore',
    'doctor',
    'config',
  ])
    assert.match(help.stdout, new RegExp(`^ +${name}\\b`, 'm'));
});
