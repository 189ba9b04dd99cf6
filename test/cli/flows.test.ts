import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

// Tests `palaver flow` while the server runs.

const stage = new Stage();
let folder: string;
let server: Running;
let home: Json;
before(async () => {
  folder = stage.folder();
  server = await stage.start(folder);
  [home] = await json('server', 'list');
});
after(() => stage.close());

const palaver = (...args: string[]) => stage.run([...args, '--data', folder]);
const json = async (...args: string[]): Promise<Json> => jsonOf(await palaver(...args, '--json'));
const create = (name: string, trigger: object, steps: object[]): Promise<Json> =>
  json(
    ...['flow', 'create', '--server', home.id, '--name', name],
    ...['--trigger', JSON.stringify(trigger), '--steps', JSON.stringify(steps)],
  );
const read = async (path: string): Promise<Json> =>
  (await call(server, 'GET', `/api/v1${path}`, { key: server.key })).body.data;
const rolesOf = async (): Promise<string[]> =>
  (await read(`/servers/${home.id}/roles`)).map(({ name }: Json) => name);

test('flow run starts a run that the server executes, and flow runs lists it', async () => {
  const flow = await create('Keep', { on: 'manual' }, [
    { name: 'keep', do: 'set', values: { to: '{{input.to}}' } },
  ]);
  const started = await json('flow', 'run', flow.id, '--input', '{"to":"Ada"}');
  assert.deepEqual([started.flowId, started.status, started.trigger], [flow.id, 'running', 'manual']);
  await until(async () => (await read(`/flow-runs/${started.id}`)).status === 'done');
  assert.deepEqual((await read(`/flow-runs/${started.id}`)).steps[0].output, { to: 'Ada' });
  const second = await json('flow', 'run', flow.id);
  await until(async () => (await read(`/flow-runs/${second.id}`)).status === 'done');
  const ids = async (...args: string[]) =>
    (await json('flow', 'runs', flow.id, ...args)).map(({ id }: Json) => id);
  assert.deepEqual(await ids(), [second.id, started.id]);
  assert.deepEqual(await ids('--status', 'done'), [second.id, started.id]);
  assert.deepEqual(await ids('--status', 'failed'), []);
  assertFailed(await palaver('flow', 'runs', flow.id, '--status', 'odd'), /--status must be one of running/);
  assertFailed(await palaver('flow', 'run', flow.id, '--input', '{'), /--input must be well-formed JSON/);
  assertFailed(await palaver('flow', 'run', 'none'), /flow not found/);
});

test('flow disable and enable turn a flow off and on, and list and show print it', async () => {
  const flow = await create('Daily', { on: 'schedule', cron: '0 9 * * *', timeZone: 'UTC' }, []);
  const off = await json('flow', 'disable', flow.id);
  assert.equal(off.enabled, false);
  assert.deepEqual(await read(`/flows/${flow.id}`), off);
  assert.deepEqual(await json('flow', 'show', flow.id), off);
  assert.deepEqual(await json('flow', 'disable', flow.id), off);
  assertFailed(await palaver('flow', 'run', flow.id), /is turned off/);
  const before = await rolesOf();
  const on = await json('flow', 'enable', flow.id);
  assert.deepEqual([on.enabled, on.makerId, on.roleId], [true, home.creatorId, flow.roleId]);
  assert.deepEqual(await json('flow', 'enable', flow.id), on);
  assert.deepEqual(await rolesOf(), before);
  assert.deepEqual(await read(`/flows/${flow.id}`), on);
  const listed = await json('flow', 'list', '--server', home.id);
  assert.deepEqual(listed.at(-1), on);
  const other = await json('server', 'create', '--name', 'Other', '--owner', home.creatorId);
  assert.deepEqual(await json('flow', 'list', '--server', other.id), []);
  assertFailed(await palaver('flow', 'list', '--server', 'none'), /server not found/);
  for (const command of ['show', 'enable', 'disable', 'runs'])
    assertFailed(await palaver('flow', command, 'none'), /flow not found/);
});

test('flow delete deletes a flow with its role', async () => {
  const flow = await create('Short', { on: 'manual' }, []);
  assert.ok((await rolesOf()).includes('Flow: Short'));
  assert.equal((await json('flow', 'delete', flow.id)).id, flow.id);
  assert.ok(!(await rolesOf()).includes('Flow: Short'));
  assertFailed(await palaver('flow', 'delete', flow.id), /flow not found/);
});
