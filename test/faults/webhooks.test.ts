// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import type { Json } from '../support/world.ts';

const ROUNDS = 2;
const MESSAGES = 40;
/** The maximum number of events that a crash may repeat: those accepted whose delivery is not stored yet. */
const MAX_REPEATS = 20;
/** The longest time that a killed process's webhooks may wait: until its lease expires, and a little more. */
const TAKEOVER_MS = 40_000;

const stage = new Stage();
let receiver: Receiver;
before(async () => {
  receiver = await Receiver.open();
  // Responds slowly enough that a kill interrupts the deliveries.
  receiver.otherwise = (response) => setTimeout(() => response.end(), 30);
});
after(async () => {
  await stage.close();
  await receiver.close();
});

const start = (folder: string): Promise<Running> =>
  stage.start(folder, { environment: { PALAVER_PRIVATE_WEBHOOKS: 'true' } });

async function make(server: Running, key: string, path: string, body: object): Promise<Json> {
  const answer = await call(server, 'POST', `/api/v1${path}`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

test(`${ROUNDS} kills during delivery: every event arrives, in order`, async () => {
  const folder = stage.folder();
  let server = await start(folder);
  const { key, channelId } = server;
  await make(server, key, '/webhooks', { url: receiver.url, types: ['message.created'] });
  const sent: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const reached = receiver.deliveries.length + MESSAGES / 4;
    for (let number = 0; number < MESSAGES; number++) {
      const content = `${round}.${number}`;
      await make(server, key, '/messages', { channelId, content });
      sent.push(content);
    }
    await receiver.got(reached);
    await server.end('SIGKILL');
    server = await start(folder);
    await until(() => receiver.contents.at(-1) === sent.at(-1), TAKEOVER_MS);
  }
  const ids = receiver.deliveries.map(({ headers }) => headers['webhook-id']);
  const firsts = receiver.contents.filter((_content, index) => ids.indexOf(ids[index]) === index);
  assert.deepEqual(firsts, sent, 'all events arrived, in order except for repeats');
  assert.ok(ids.length - sent.length <= ROUNDS * MAX_REPEATS, 'only the latest events arrived twice');
  assert.equal(await server.end(), 0);

  // A stop releases the leases, so the next process continues immediately.
  server = await start(folder);
  await make(server, key, '/messages', { channelId, content: 'last' });
  await until(() => receiver.contents.at(-1) === 'last', 8_000);
  assert.equal(await server.end(), 0);
});
