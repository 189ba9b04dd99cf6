import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { refused } from '../support/addresses.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { makeFlow, runOf } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let receiver: Receiver;
before(async () => {
  world = await World.open({ timers: true, privateWebhooks: true });
  scene = await Scene.open(world);
  receiver = await Receiver.open();
});
after(async () => {
  await receiver.close();
  await world.close();
});

const addSecret = async (name: string, value: string, hosts = ['127.0.0.1']): Promise<Json> =>
  dataOf(await scene.admin.post('/secrets', { kind: 'appSecret', name, value, hosts }));

/** Runs a flow manually, and waits until the run ends. Returns the run with its steps. */
async function ran(of: Scene, flow: Json, input: Json = {}): Promise<Json> {
  const { id } = dataOf(await of.admin.post(`/flows/${flow.id}/run`, { input }));
  await until(async () => (await runOf(of, id)).endedAt !== null);
  return runOf(of, id);
}

const echo = (response: import('node:http').ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test('a call sends method, headers and JSON, and later steps read the response', async () => {
  receiver.clear();
  receiver.otherwise = (response, { event }) => echo(response, { ticket: { id: event.n + 1 } });
  const flow = await makeFlow(scene, { on: 'manual' }, [
    {
      name: 'call',
      do: 'http.call',
      method: 'PUT',
      url: `${receiver.url}/tickets/{{input.n}}`,
      headers: { 'X-Team': 'ops {{input.n}}' },
      json: { n: '{{input.n}}', words: ['a {{input.n}}'] },
    },
    { name: 'after', do: 'set', values: { id: '{{steps.call.output.json.ticket.id}}' } },
  ]);
  const run = await ran(scene, flow, { n: 7 });
  assert.equal(run.error, null);
  assert.deepEqual(run.steps[0].output, { status: 200, isWhole: true, json: { ticket: { id: 8 } } });
  assert.deepEqual(run.steps[1].output, { id: 8 });
  const [{ method, path, headers, event } = {} as never] = receiver.deliveries;
  assert.deepEqual(
    [method, path, headers['x-team'], event],
    ['PUT', '/tickets/7', 'ops 7', { n: 7, words: ['a 7'] }],
  );
  assert.equal(headers['idempotency-key'], `${run.id}-0`);
});

test('a call is retried with the same key, and the start of a long response can be read', async () => {
  receiver.clear();
  receiver.answers.push(503);
  receiver.otherwise = (response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(200_000));
  const steps = [
    { name: 'call', do: 'http.call', url: receiver.url, json: {} },
    { name: 'cut', do: 'set', values: { isWhole: '{{steps.call.output.isWhole}}' } },
  ];
  const run = await ran(scene, await makeFlow(scene, { on: 'manual' }, steps));
  assert.equal(run.steps[0].attempts, 2);
  assert.deepEqual(run.steps[1].output, { isWhole: false });
  const keys = receiver.deliveries.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual(keys, [`${run.id}-0`, `${run.id}-0`]);
  receiver.clear();
  receiver.otherwise = 404;
  const failed = await ran(scene, await makeFlow(scene, { on: 'manual' }, steps));
  assert.match(failed.error, /the host returned 404/);
  assert.equal(receiver.deliveries.length, 1);
});

/** The three forms that a text can have within a longer text in Base64. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((pad) => Buffer.from(`${'x'.repeat(pad)}${text}`).toString('base64'));

test('a secret is only sent to its hosts, and its value is masked in every form in responses', async () => {
  receiver.clear();
  const value = 'k3y with/odd+chars & "quotes" (4711)!';
  const inUrl = encodeURIComponent(value);
  const inForm = new URLSearchParams({ '': value }).toString().slice(1);
  const lower = (text: string) => text.replace(/%../g, (code) => code.toLowerCase());
  const secret = await addSecret('CRM', value);
  assert.deepEqual(secret.hosts, ['127.0.0.1']);
  receiver.otherwise = (response, { headers }) => {
    const sent = String(headers.authorization);
    const forms = inBase64(sent);
    echo(response, {
      sent,
      forms,
      urls: [inUrl, lower(inUrl), inForm, lower(inForm)],
      [sent]: { deep: [sent] },
    });
  };
  const call = {
    name: 'call',
    do: 'http.call',
    url: `${receiver.url}/?key={{secret.CRM | json}}`,
    headers: { Authorization: 'Bearer {{secret.CRM}}' },
    json: { inside: '{{secret.CRM}}' },
  };
  const flow = await makeFlow(scene, { on: 'manual' }, [
    call,
    { name: 'kept', do: 'set', values: { all: '{{steps.call.output.json}}' } },
  ]);
  const run = await ran(scene, flow);
  assert.equal(run.error, null);
  assert.equal(receiver.deliveries[0]?.headers.authorization, `Bearer ${value}`);
  assert.match(JSON.stringify(run.steps[0].output), /Bearer •••/);
  const tried = dataOf(await scene.admin.post(`/flows/${flow.id}/try`, {}));
  assert.equal(tried.tries[0].steps[0].status, 'skipped');
  const shown = [JSON.stringify([run, tried]), ...bytesIn(world.place.data)];
  const middle = inBase64(value).map((form) => form.slice(8, -8));
  for (const form of [value, 'k3y with/odd', inUrl, lower(inUrl), inForm, lower(inForm), ...middle])
    for (const text of shown) assert.ok(!text.includes(form), form);

  const elsewhere = { ...call, url: 'https://example.com/{{input.x}}' };
  const refusal = await scene.admin.post('/flows', {
    name: 'No',
    trigger: { on: 'manual' },
    steps: [elsewhere],
  });
  assertRefused(refusal, 'INVALID_REQUEST');
  assert.match(refusal.body.error.message, /steps\[0\].url: is not on a host that the secret CRM allows/);
  const hidden = await makeFlow(scene, { on: 'manual' }, [{ ...call, url: '{{input.url}}' }]);
  const denied = await ran(scene, hidden, { url: 'https://example.com/' });
  assert.match(denied.error, /may not be sent to this host/);
  const send = { do: 'message.send', channelId: 'x', content: '{{secret.CRM}}' };
  assertRefused(
    await scene.admin.post('/flows', { name: 'No', trigger: { on: 'manual' }, steps: [send] }),
    'INVALID_REQUEST',
  );
});

test('a secret that is truncated at the end of a long response is masked as well', async () => {
  const value = 'cut-off-4711';
  await addSecret('CUT', value);
  const flow = await makeFlow(scene, { on: 'manual' }, [
    { name: 'call', do: 'http.call', url: receiver.url, json: { key: '{{secret.CUT}}' } },
  ]);
  for (const shown of [1, 5, value.length - 1]) {
    receiver.otherwise = (response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(`${'x'.repeat(64 * 1024 - shown)}${value} and more`);
    const { id: runId } = await ran(scene, flow);
    // Reads the table, because the API shows less of the output.
    const stored = await world.data.db.read.first(find('flowStep', { runId, position: '0' }));
    const { isWhole, text } = (stored as Json).output;
    assert.deepEqual([isWhole, text.slice(-4)], [false, 'x•••']);
  }
});

test('a call can be signed as in Standard Webhooks', async () => {
  receiver.clear();
  const signing = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await addSecret('SIGN', signing);
  const step = { do: 'http.call', url: receiver.url, json: { hello: 'world' }, sign: 'SIGN' };
  const run = await ran(scene, await makeFlow(scene, { on: 'manual' }, [step]));
  assert.equal(run.error, null);
  const [{ text, headers } = {} as never] = receiver.deliveries;
  assert.deepEqual(new Webhook(signing).verify(text, headers as Record<string, string>), { hello: 'world' });
});

test('nothing is sent to addresses that are not public', async () => {
  const strict = await World.open({ timers: true });
  const own = await Scene.open(strict);
  const flow = await makeFlow(own, { on: 'manual' }, [{ do: 'http.call', url: '{{input.url}}', json: {} }]);
  const { port } = new URL(receiver.url);
  receiver.clear();
  const urls = Object.values(refused).flatMap((hosts) => hosts.map((host) => `http://${host}:${port}/`));
  const runs: string[] = [];
  for (const url of urls.slice(0, 58))
    runs.push(dataOf(await own.admin.post(`/flows/${flow.id}/run`, { input: { url } })).id);
  for (const id of runs) {
    await until(async () => (await runOf(own, id)).endedAt !== null);
    const { error, steps } = await runOf(own, id);
    assert.match(error, /the host is not allowed, or its address is not public/);
    assert.equal(steps[0].attempts, 1);
  }
  for (const url of ['ftp://example.com/', 'https://a:b@example.com/', 'x']) {
    const { id } = dataOf(await own.admin.post(`/flows/${flow.id}/run`, { input: { url } }));
    await until(async () => (await runOf(own, id)).status === 'failed');
  }
  assert.equal(receiver.deliveries.length, 0);
  await strict.close();
});

/** The contents of all files below a folder, as Latin-1. */
function bytesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
}
