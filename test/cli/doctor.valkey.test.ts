// @run sqlite, waits: tests Valkey; waits for time to pass
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertFinds, type Doctor, messagesOf } from '../support/findings.ts';
import { Stage } from '../support/process.ts';
import { freePort, startValkey, type ValkeyServer, valkeyBinary } from '../support/valkeyServer.ts';

const stage = new Stage();
let folder: string;
let valkey: ValkeyServer;

const doctorOn =
  (url: string): Doctor =>
  (...more) =>
    stage.run(['doctor', '--data', folder, '--redis', url, ...more]);

describe('the Valkey that nodes share', { skip: valkeyBinary() ? false : 'there is no Valkey' }, () => {
  before(async () => {
    folder = stage.folder();
    assert.equal(await (await stage.start(folder)).end(), 0);
    valkey = await startValkey();
  });
  after(async () => {
    await valkey.stop();
    await stage.close();
  });

  test('a healthy server passes', async () => {
    const told = await messagesOf(doctorOn(valkey.url));
    assert.match(told.valkey as string, /^(Valkey|Redis) \d+\.\d+\S* responds in [\d.]+ ms$/);
    assert.match(told['valkey memory'] as string, /^no memory limit/);
  });

  test('a server that evicts keys when it is full is reported', async () => {
    const full = await startValkey('--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru');
    try {
      const told = await messagesOf(doctorOn(full.url));
      assert.match(told['valkey memory'] as string, /50.*allkeys-lru.*noeviction/);
    } finally {
      await full.stop();
    }
  });

  test('a Valkey server that is a replica is reported', async () => {
    const replica = await startValkey('--replicaof', `127.0.0.1 ${new URL(valkey.url).port}`);
    try {
      await assertFinds(doctorOn(replica.url), 'valkey', /replica/);
    } finally {
      await replica.stop();
    }
  });

  test('an unreachable server and an unresponsive one are reported', async () => {
    await assertFinds(doctorOn(`redis://127.0.0.1:${await freePort()}`), 'valkey', /ECONNREFUSED/);
    valkey.freeze();
    await assertFinds(doctorOn(valkey.url), 'valkey', /\S/);
    valkey.thaw();
  });
});
