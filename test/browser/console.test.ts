import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import { after, before, beforeEach, Surfer, test } from '../support/browser.ts';
import { call, type Running, Stage, until } from '../support/process.ts';

const stage = new Stage();
after(() => stage.close());

let server: Running;
let surfer: Surfer;
let page: Page;
before(async () => {
  server = await stage.start(stage.folder());
  surfer = await Surfer.open();
});
after(() => surfer?.close());
beforeEach(async () => {
  page = await surfer.page({ permissions: ['clipboard-read', 'clipboard-write'] });
});

const messages = async (): Promise<{ id: string; content: string }[]> =>
  (await call(server, 'GET', `/api/v1/channels/${server.channelId}/messages`, { key: server.key })).body.data;

async function open(path: string, operation: string): Promise<Locator> {
  await page.goto(server.url + path);
  const form = page.locator(`#${operation} .try`);
  await form.locator('summary').click();
  return form;
}

async function enterKey(key = server.key): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Use' }).click();
}

const sendIn = async (form: Locator): Promise<string> => {
  await form.getByRole('button', { name: 'Send' }).click();
  await form.locator('.result .status').waitFor();
  return (await form.locator('.result').innerText()) ?? '';
};

test('the console posts the body as shown: two clicks create two messages', async () => {
  const form = await open('/docs/reference/messages', 'messageSend');
  await enterKey();
  await page.getByText('You are').waitFor();
  // The example's channel has been replaced with one of this server.
  await until(async () => (await form.locator('textarea').inputValue()).includes(server.channelId));
  const before = await messages();
  for (let click = 0; click < 2; click++) assert.match(await sendIn(form), /^200 OK/);
  const sent = await messages();
  assert.equal(sent.length, before.length + 2);
  assert.deepEqual([sent[0]?.content, sent[1]?.content], ['Hello, world', 'Hello, world']);
  assert.notEqual(sent[0]?.id, sent[1]?.id);
});

test('the console sends a typed Idempotency-Key: the second click returns the first message', async () => {
  const form = await open('/docs/reference/messages', 'messageSend');
  await enterKey();
  await page.getByText('You are').waitFor();
  await form
    .getByRole('textbox', { name: 'Body' })
    .fill(JSON.stringify({ channelId: server.channelId, content: 'Once' }));
  await form.getByLabel('Idempotency-Key').fill('a-key-of-the-test');
  const [first, second] = [await sendIn(form), await sendIn(form)];
  assert.doesNotMatch(first, /idempotency-replayed/);
  assert.match(second, /idempotency-replayed: true/);
  assert.equal((await messages()).filter(({ content }) => content === 'Once').length, 1);
});

test('the console suggests ids from this server and fills them in for reads, but never for deletes', async () => {
  const read = await open('/docs/reference/channels', 'channelById');
  await enterKey();
  const input = read.getByLabel('channelId');
  await page.locator(`#channelById option[value="${server.channelId}"]`).waitFor({ state: 'attached' });
  assert.equal(await input.inputValue(), server.channelId);
  assert.match(await sendIn(read), /"name": "general"/);
  const removal = page.locator('#channelDelete .try');
  await removal.locator('summary').click();
  await page.locator(`#channelDelete option[value="${server.channelId}"]`).waitFor({ state: 'attached' });
  assert.equal(await removal.getByLabel('channelId').inputValue(), '');
});

test('the API key survives navigation and a reload in the same tab and is stored nowhere else', async () => {
  await open('/docs/reference/users', 'userMe');
  await enterKey();
  await page.getByText('You are').waitFor();
  assert.equal(await page.getByLabel('API key').inputValue(), '');
  await page.goto(`${server.url}/docs/reference/roles`);
  await page.getByText('You are').waitFor();
  const kept = await page.evaluate<string[]>(
    '[JSON.stringify(localStorage), document.cookie, location.href, document.body.innerHTML]',
  );
  for (const place of kept) assert.ok(!place.includes(server.key));
  const other = await page.context().newPage();
  await other.goto(`${server.url}/docs/reference/roles`);
  await other.getByText('Used to send requests from this page').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.reload();
  await page.getByText('Used to send requests from this page').waitFor();
});

test('the console rejects an invalid key, and the server rejects a request without one', async () => {
  const form = await open('/docs/reference/users', 'userMe');
  assert.match(await sendIn(form), /^401 [\s\S]*UNAUTHORIZED/);
  await enterKey('sk_live_nothing');
  await page.getByText('This key was rejected').waitFor();
  assert.match(await sendIn(form), /^401 [\s\S]*INVALID_API_KEY/);
});

test('the console shows a stream as it arrives until it is stopped', async () => {
  const form = await open('/docs/reference/events', 'events');
  await enterKey();
  await page.getByText(/^You are/).waitFor();
  await form.getByLabel('Accept').selectOption('text/event-stream');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.locator('.result .status', { hasText: '200' }).waitFor();
  const body = { channelId: server.channelId, content: 'As it happens' };
  await call(server, 'POST', '/api/v1/messages', { key: server.key, body });
  await form.locator('.result code', { hasText: 'As it happens' }).waitFor();
  await form.getByRole('button', { name: 'Stop' }).click();
  await form.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
});

test('the request can be copied as a curl command without the key', async () => {
  const form = await open('/docs/reference/messages', 'messageSend');
  await enterKey();
  await page.getByText('You are').waitFor();
  await form
    .getByRole('textbox', { name: 'Body' })
    .fill(`{"channelId": "${server.channelId}", "content": "It's me"}`);
  await form.getByRole('button', { name: 'Copy as curl' }).click();
  await form.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.ok(!copied.includes(server.key));
  const answer = execFileSync('sh', ['-c', `${copied} --silent`], {
    env: { ...process.env, KEY: server.key },
    encoding: 'utf8',
  });
  assert.equal(JSON.parse(answer).data.content, "It's me");
});
