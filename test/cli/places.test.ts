import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

const readers = ['user list', 'server list', 'key list', 'flow list', 'flow show a', 'flow runs a', 'audit'];
const writers = [
  'user export --username ada',
  'user erase --username ada --messages keep',
  'server create --name Home --owner ada',
  'member add --server a --user b',
  'key create --server a --user b',
  'key rotate a',
  'key revoke a',
  'flow create --server a --name b --trigger {} --steps []',
  'flow enable a',
  'flow disable a',
  'flow run a',
  'flow delete a',
  'secret rotate',
];

test('a command on a location without data fails, and creates no data', async () => {
  const folder = join(stage.folder(), 'typo');
  for (const command of [...readers, ...writers]) {
    assertFailed(
      await stage.run([...command.split(' '), '--data', folder, '--json']),
      /^no data in \S+: pass another location with --data or --database, or create data with "palaver start"\n/,
    );
  }
  assert.equal(existsSync(folder), false);
  // On PostgreSQL, the error also shows that no tables were created.
  assertFailed(await stage.run(['user', 'list', '--data', folder]), /^no data in/);
});

test('user create can be the first command', async () => {
  const folder = join(stage.folder(), 'new', 'folder');
  const at = ['--data', folder, '--json'];
  const { id } = jsonOf(await stage.run(['user', 'create', '--username', 'ada', ...at]));
  assert.equal(jsonOf(await stage.run(['user', 'list', ...at]))[0].id, id);
});

test('a folder that cannot be created is reported', async () => {
  const environment = { DATABASE_URL: '' };
  for (const command of [
    ['start', '--port', '0'],
    ['user', 'create', '--username', 'ada'],
  ])
    assertFailed(
      await stage.run([...command, '--data', '/proc/palaver'], environment),
      /^cannot create the data folder: .*'\/proc\S*'\. Choose another with --data\n/,
    );
});

test('a port that is in use is reported, with the option in the syntax of npm start', async () => {
  const server = await stage.start(stage.folder());
  const { port } = new URL(server.url);
  const byNpm = { npm_lifecycle_event: 'start', npm_package_name: 'palaver' };
  assertFailed(
    await stage.run(['start', '--data', stage.folder(), '--port', port], byNpm),
    new RegExp(`^port ${port} is in use: choose another with npm start -- --port\n`),
  );
  assertFailed(
    await stage.run(['start', '--data', stage.folder(), '--port', '0', '--metrics-port', port], {
      PALAVER_LOG_LEVEL: 'warn',
    }),
    new RegExp(`^port ${port} is in use: choose another with --metrics-port\n`),
  );
  assert.equal(await server.end(), 0);
});
