// @run sqlite: tests the lines of the log
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { RawClient } from '../support/socket.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

/** Words in bodies, queries and headers that must not be in any log. */
const BODY = 'quokka';
const QUERY = 'wombat';
const HEADER = 'numbat';

const lines = (server: Running): Json[] =>
  server
    .log()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Sends requests that succeed or fail in various ways. Returns the statuses by request id. */
async function exercise(server: Running): Promise<Map<string, number>> {
  const { key, channelId } = server;
  const answers = new Map<string, number>();
  const ask = async (method: string, path: string, options: Parameters<typeof call>[3] = {}) => {
    const { status, headers } = await call(server, method, path, options);
    answers.set(headers.get('x-request-id') as string, status);
  };
  const headers = { 'x-secret': HEADER, cookie: `session=${HEADER}`, 'idempotency-key': HEADER };
  const messages = `/api/v1/channels/${channelId}/messages`;
  await ask('POST', '/api/v1/messages', { key, headers, body: { channelId, content: BODY } });
  await ask('POST', '/api/v1/messages', { key, headers, body: { channelId, content: `${BODY} again` } });
  await ask('POST', '/api/v1/messages', { key, body: { channelId, content: [BODY] } });
  await ask('POST', '/api/v1/messages', { key, body: { [BODY]: 1 } });
  await ask('POST', '/api/v1/messages', { key, body: 'x', headers: { 'content-type': `text/${BODY}` } });
  await ask('POST', '/api/v1/secrets', { key, body: { kind: 'apiKey', name: BODY } });
  await ask('POST', '/api/v1/apps', { key, body: { name: BODY } });
  await ask('GET', `${messages}?q=${QUERY}`, { key });
  await ask('GET', `${messages}?limit=${QUERY}&cursor=${QUERY}`, { key });
  await ask('GET', `/api/v1/channels/none?${QUERY}=1`, { key });
  await ask('GET', `/api/v1/nothing?${QUERY}=1`, { key });
  await ask('GET', `/nothing?${QUERY}=1`);
  await ask('GET', `/api/v1/servers?${QUERY}=1`, { key: `sk_live_plv_${HEADER}` });
  await ask('GET', `/api/v1/servers?${QUERY}=1`, { headers: { authorization: `Basic ${HEADER}` } });
  await ask('GET', `/%zz?${QUERY}=1`);
  const broken = new RawClient(server);
  broken.send(`GET /${QUERY} HTTP/9.9\r\nAuthorization: Bearer ${key}\r\nX-Odd: ${HEADER}\r\n\r\n${BODY}`);
  await broken.answer();
  broken.close();
  return answers;
}

describe('the log', { concurrency: 3 }, () => {
  for (const level of ['debug', 'info', 'warn', 'error']) {
    test(`holds no key, body, query or header at ${level}`, async () => {
      const server = await stage.start(stage.folder(), { environment: { PALAVER_LOG_LEVEL: level } });
      const { key } = server;
      await exercise(server);
      assert.equal(await server.end(), 0);
      const log = server.log();
      for (const secret of [key, key.slice(12), BODY, QUERY, HEADER]) {
        assert.ok(!log.includes(secret), `${secret} is in ${log}`);
      }
      assert.doesNotMatch(log, /sk_live_|bearer|authorization/i);
    });
  }

  test('is silent at level silent, and consists of JSON lines otherwise', async () => {
    const silent = await stage.start(stage.folder(), { environment: { PALAVER_LOG_LEVEL: 'silent' } });
    await exercise(silent);
    assert.equal(await silent.end(), 0);
    assert.equal(silent.log(), '');
    const spoken = await stage.start(stage.folder());
    await exercise(spoken);
    assert.equal(await spoken.end(), 0);
    assert.ok(lines(spoken).length > 3);
    assert.ok(lines(spoken).every(({ level, time }) => level >= 30 && Number.isInteger(time)));
  });
});

describe('log lines', { concurrency: 3 }, () => {
  test('include every request at debug, with its id, status and path', async () => {
    const server = await stage.start(stage.folder(), { environment: { PALAVER_LOG_LEVEL: 'debug' } });
    const answers = await exercise(server);
    const requests = () => lines(server).filter(({ msg }) => msg === 'request');
    await until(() => requests().length >= answers.size);
    for (const [id, status] of answers) {
      const own = requests().filter(({ requestId }) => requestId === id);
      assert.equal(own.length, 1, `${id} with ${status} has ${own.length} lines`);
      assert.equal(own[0].status, status);
      assert.match(own[0].path, /^\/[^?]*$/);
      assert.match(own[0].method, /^[A-Z]+$/);
      assert.ok(Number.isInteger(own[0].ms) && own[0].ms >= 0);
    }
    assert.equal(await server.end(), 0);
  });

  test("use a client's request id if it is a plain word", async () => {
    const server = await stage.start(stage.folder(), { environment: { PALAVER_LOG_LEVEL: 'debug' } });
    const answer = await call(server, 'GET', '/healthz', { headers: { 'x-request-id': 'trace-42.a_b' } });
    assert.equal(answer.headers.get('x-request-id'), 'trace-42.a_b');
    for (const odd of ['two words', 'x'.repeat(65), '{"a":1}', '../..', '%00']) {
      const { headers } = await call(server, 'GET', '/healthz', { headers: { 'x-request-id': odd } });
      assert.notEqual(headers.get('x-request-id'), odd);
    }
    await until(() => lines(server).some(({ requestId }) => requestId === 'trace-42.a_b'));
    assert.equal(await server.end(), 0);
  });

  test('count the requests that permissions denied, in a line for each key', async () => {
    const folder = stage.folder();
    const server = await stage.start(folder, { environment: { PALAVER_LOG_LEVEL: 'warn' } });
    const mint = async (name: string) =>
      (await call(server, 'POST', '/api/v1/secrets', { key: server.key, body: { kind: 'apiKey', name } }))
        .body.data;
    const [one, other] = [await mint('One'), await mint('Other')];
    for (const { key } of [one, one, one, other]) {
      const { status } = await call(server, 'POST', '/api/v1/roles', { key, body: { name: BODY } });
      assert.equal(status, 403);
    }
    assert.equal(await server.end(), 0);
    const counted = lines(server).filter(({ refused }) => refused !== undefined);
    assert.deepEqual(
      counted.map(({ keyId, userId, refused }) => [keyId, userId, refused]),
      [
        [one.id, one.userId, 3],
        [other.id, other.userId, 1],
      ],
    );
    assert.ok(!server.log().includes(one.key));
  });
});
