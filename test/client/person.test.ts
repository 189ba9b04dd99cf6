import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { peopleOperations } from '../../client/src/generated/people.ts';
import { type Person, personIn } from '../../client/src/index.ts';
import { Browser } from '../support/account.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let server: Json;
let browser: Browser;
let person: Person;
/** The requests sent, each with its Idempotency-Key. */
let sent: { path: string; key: string | null }[] = [];

const withCookie = async (request: Request, init?: RequestInit): Promise<Response> => {
  sent.push({ path: new URL(request.url).pathname, key: request.headers.get('idempotency-key') });
  request.headers.set('cookie', browser.cookie);
  return fetch(request, init);
};

before(async () => {
  world = await World.open();
  const user = await world.user();
  server = await world.server(user);
  browser = await Browser.of(world, user);
  person = personIn({ baseUrl: world.url, serverId: server.id, fetch: withCookie });
});
after(() => world.close());

test('a person can call all endpoints: those for keys and those for people', async () => {
  const channel = await person.channelInsert({ name: 'people' });
  const message = await person.messageSend({ channelId: channel.id, content: 'hello' });
  const snapshot = await person.serverSnapshot({ id: server.id });
  assert.equal(snapshot.standing.isServerCreator, true);
  const view = await person.channelView({ id: channel.id, limit: 10 });
  assert.deepEqual(
    view.messages.map(({ id }) => id),
    [message.id],
  );
  const [first] = await person.sessions({ limit: 1 });
  assert.equal(first?.isCurrent, true);
});

test('each operation for people has a method, except the stream', () => {
  const missing = Object.keys(peopleOperations).filter((name) => !(name in person));
  assert.deepEqual([missing, 'personEvents' in person], [[], false]);
});

test('a request without an Idempotency-Key is sent once, any other is retried', async () => {
  let failures = 0;
  const failing = personIn({
    baseUrl: world.url,
    retries: 1,
    fetch: (request, init) => {
      if (failures++ === 0) return Promise.reject(new TypeError('no connection'));
      return withCookie(request, init);
    },
  });
  await assert.rejects(failing.serverInsert({ name: 'once' }), { code: 'NO_ANSWER', attempts: 1 });
  failures = 0;
  sent = [];
  const { ticket } = await failing.personTicketInsert();
  assert.match(ticket, /^ticket_plv_/);
  assert.equal(sent.length, 1);
});

test("a person's client without a server ID sends no server", async () => {
  const nowhere = personIn({ baseUrl: world.url, fetch: withCookie });
  await assert.rejects(nowhere.channelInsert({ name: 'nowhere' }), {
    code: 'INVALID_REQUEST',
    message: /^serverId/,
  });
});

test('a malformed token is rejected immediately', () => {
  assert.throws(() => personIn({ baseUrl: world.url, token: 'a\nb' }), TypeError);
});
