import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { optionsOf } from '../../server/src/cli/command.ts';
import { commands } from '../../server/src/cli/commands/index.ts';
import { Stage } from '../support/process.ts';

const stage = new Stage();
after(() => stage.close());

const rows = commands.flatMap((entry) =>
  'run' in entry
    ? [entry]
    : entry.commands.map((command) => ({ ...command, usage: `${entry.name} ${command.usage}` })),
);

/** The output of `--help`, joined into one line. */
async function helpOf(names: string[]): Promise<string> {
  const { code, stdout, stderr } = await stage.run([...names, '--help']);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout.replace(/\s+/g, ' ');
}

for (const row of rows) {
  const { usage, about } = row;
  const [name = '', argument] = usage.split(/ (?=[<[])/);
  test(`palaver ${name} --help describes the command and every option`, async () => {
    const help = await helpOf(name.split(' '));
    assert.ok(help.startsWith(`Usage: palaver ${name} [options]${argument ? ` ${argument}` : ''} ${about} `));
    for (const [flags, words] of Object.entries(optionsOf(row))) {
      const text = typeof words === 'string' ? words : `${words.needed} (required)`;
      assert.ok(help.includes(` ${flags} ${text} `), `${flags} is missing in: ${help}`);
    }
  });
}

test('palaver alone prints the same help', async () => {
  const alone = await stage.run([]);
  assert.deepEqual(alone, await stage.run(['--help']));
  assert.equal(alone.code, 0);
});

test('help followed by a command name prints the help for that command', async () => {
  for (const [words, of] of [
    [['help'], []],
    [['help', 'user'], ['user']],
    [['user', 'help'], ['user']],
    [
      ['help', 'user', 'create'],
      ['user', 'create'],
    ],
    [
      ['user', 'help', 'create'],
      ['user', 'create'],
    ],
    [['help', 'restore'], ['restore']],
  ] as const)
    assert.deepEqual(await stage.run([...words]), await stage.run([...of, '--help']), words.join(' '));
});

test('under npm start, the help shows how to pass options', async () => {
  const environment = { npm_lifecycle_event: 'start', npm_package_name: 'palaver' };
  const { stdout } = await stage.run(['start', '--help'], environment);
  assert.ok(stdout.startsWith('Usage: npm start -- [options]\n'), stdout);
  const other = await stage.run(['start', '--help'], { ...environment, npm_package_name: 'shop' });
  assert.ok(other.stdout.startsWith('Usage: palaver start [options]\n'), other.stdout);
});

test('palaver --help lists the commands in order', async () => {
  const lines = commands.map((entry) => {
    if (!('run' in entry)) return `${entry.name} ${entry.about}`;
    const [name, ...argument] = entry.usage.split(' ');
    const options = Object.keys(optionsOf(entry)).length > 0 ? ['[options]'] : [];
    return [name, ...options, ...argument, entry.about].join(' ');
  });
  assert.ok((await helpOf([])).includes(` Commands: ${lines.join(' ')} help `));
});

/** The packages that a command on a data folder loads. */
async function packagesOf(args: string[]): Promise<string[]> {
  const { environment, loaded } = stage.watch();
  const { code, stderr } = await stage.run(args, { ...environment, DATABASE_URL: '' });
  assert.equal(code, 0, stderr);
  return Object.keys(loaded().packages).sort();
}

test('help and settings load only the command-line parser', async () => {
  assert.deepEqual(await packagesOf(['--help']), ['commander']);
  assert.deepEqual(await packagesOf(['key', 'create', '--help']), ['commander']);
  assert.deepEqual(await packagesOf(['config', '--data', stage.folder()]), ['commander']);
});

test('commands on data load neither the HTTP server nor the other engine', async () => {
  const folder = stage.folder();
  for (const command of ['user create --username ada', 'key list', 'doctor', 'start --help']) {
    const loaded = await packagesOf([...command.split(' '), '--data', folder]);
    for (const name of ['fastify', 'ioredis', 'pg', 'pino', 'request-filtering-agent'])
      assert.ok(!loaded.includes(name), `${command} loads ${name}`);
  }
  assert.ok((await packagesOf(['key', 'list', '--data', folder])).includes('kysely'));
});

test('a command in its own process behaves like one that shares a process', async () => {
  const folder = stage.folder();
  const add = (name: string) => ['user', 'create', '--username', name, '--data', folder, '--json'];
  const [alone, shared] = [await stage.runAlone(add('ada')), await stage.run(add('bob'))];
  assert.deepEqual([alone.code, shared.code], [0, 0], alone.stderr + shared.stderr);
  const fieldsOf = ({ stdout }: { stdout: string }) => Object.keys(JSON.parse(stdout));
  assert.deepEqual(fieldsOf(shared), fieldsOf(alone));
  for (const args of [
    ['user', 'list', '--data', folder],
    ['key', 'list', '--data', folder, '--json'],
    ['secret', 'rotate', '--data', folder],
    ['doctor', '--data', folder],
    ['audit', '--data', folder, '--json'],
    ['config', '--json'],
    // The following commands fail.
    add('ada'),
    ['key', 'revoke', 'none', '--data', folder],
    ['user', 'create', '--data', folder],
    ['server', 'list', '--port', '1'],
  ]) {
    const [first, second] = [await stage.run(args), await stage.runAlone(args)];
    // The output of `secret rotate` contains a new key, and the output of `doctor` contains timings.
    const isFixed = args[0] !== 'secret' && args[0] !== 'doctor';
    if (isFixed) assert.deepEqual(second, first, args.join(' '));
    assert.deepEqual([second.code, second.stderr], [first.code, first.stderr], args.join(' '));
  }
});
