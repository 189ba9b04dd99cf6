// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nearest } from '../../server/src/lib/nearest.ts';
import { type Environment, Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

/** The standard error of `palaver config`, which succeeds. */
async function saidOf(environment: Environment): Promise<string> {
  const { code, stderr } = await stage.run(['config', '--data', stage.folder()], environment);
  assert.equal(code, 0);
  return stderr;
}

test('an unknown variable gets a warning with the closest name', async () => {
  assert.equal(
    await saidOf({ PALAVER_PROT: '8081' }),
    'PALAVER_PROT is not a setting and is ignored: did you mean PALAVER_PORT?\n',
  );
  assert.equal(
    await saidOf({ PALAVER_WEATHER_FORECAST: 'rain' }),
    'PALAVER_WEATHER_FORECAST is not a setting and is ignored: run palaver config to see the settings\n',
  );
  const all = await stage.run(['config', '--data', stage.folder(), '--json'], {
    PALAVER_CONFIG: '',
    PALAVER_URL: 'http://127.0.0.1:1',
    PALAVER_KEY: 'sk_live_plv_x',
    PALAVER_SERVICE_HOST: '10.0.0.1',
    PALAVER_PORT_8080_TCP_ADDR: '10.0.0.1',
  });
  jsonOf(all);
});

test('an unknown setting in the config file is rejected with the closest name', async () => {
  const folder = stage.folder();
  writeFileSync(join(folder, 'palaver.json'), '{"logLevl": "warn"}');
  assertFailed(
    await stage.run(['config', '--data', folder]),
    /has no setting "logLevl": did you mean "logLevel"\?$/m,
  );
});

test('a hint names the closest word', () => {
  const words = ['port', 'host', 'hosts', 'maxKeyDays', 'logLevel'];
  for (const [typed, meant] of [
    ['prot', 'port'],
    ['PORT', 'port'],
    ['hots', 'host'],
    ['maxkeyday', 'maxKeyDays'],
    ['loglevell', 'logLevel'],
    ['weather', undefined],
    ['x', undefined],
  ] as const)
    assert.equal(nearest(typed, words), meant, typed);
});

test('all missing options are reported at once', async () => {
  assertFailed(
    await stage.run(['key', 'create', '--data', stage.folder()]),
    /^error: required options '--server <id>', '--user <id>' not specified\n/,
  );
  assertFailed(
    await stage.run(['key', 'create', '--server', 'a', '--data', stage.folder()]),
    /^error: required option '--user <id>' not specified\n/,
  );
});
