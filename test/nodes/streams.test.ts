import assert from 'node:assert/strict';
import { EventStream } from '../support/eventStream.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
const PIECES = 60;

let site: Site;
let streams: EventStream[];
before(async () => {
  site = await Site.open(NODES, { PALAVER_LIMITS: '{"*":0}' });
  streams = await Promise.all(
    Array.from({ length: NODES }, (_, node) => EventStream.open(site.at(node), site.key)),
  );
});
after(async () => {
  for (const stream of streams ?? []) stream.close();
  await site?.close();
});

const begin = (node: number): Promise<Json> =>
  site.make('/messages', { channelId: site.channelId, streaming: true }, node);
const append = (node: number, id: string, body: object) =>
  call(site.at(node), 'POST', `/api/v1/messages/${id}/append`, { key: site.key, body });
const messageAt = async (node: number, id: string): Promise<Json> =>
  (await call(site.at(node), 'GET', `/api/v1/messages/${id}`, { key: site.key })).body.data;
const deltasAt = (node: number, id: string): Json[] =>
  (streams[node] as EventStream).events
    .filter(({ type, data }) => type === 'messageDelta.appended' && data.messageId === id)
    .map(({ data }) => data);
const textOf = (deltas: readonly Json[]): string =>
  deltas.reduce((content, { offset, text }) => content.slice(0, offset) + text, '');

test('each append reaches another node: readers of all nodes get every delta in order, and the text so far', async () => {
  const { id } = await begin(0);
  let whole = '';
  for (let count = 0; count < PIECES; count++) {
    const text = `word${count} `;
    const answer = await append(count, id, { offset: whole.length, text, done: count === PIECES - 1 });
    assert.equal(answer.status, 200, answer.text);
    whole += text;
    assert.equal(answer.body.data.offset, whole.length);
    // A reader that joins midway at any node may get the text a moment later.
    if (count % 20 === 10)
      for (let node = 0; node < NODES; node++)
        await until(async () => (await messageAt(node, id)).content === whole, 400, 5);
  }
  for (let node = 0; node < NODES; node++) {
    await until(() => deltasAt(node, id).length === PIECES);
    assert.equal(textOf(deltasAt(node, id)), whole);
    const { content, stream } = await messageAt(node, id);
    assert.deepEqual([content, stream], [whole, 'done']);
  }
});

test('if two nodes get different text for one position, one of the appends is rejected', async () => {
  const { id } = await begin(1);
  const answers = await Promise.all(
    [0, 1, 2].map((node) => append(node, id, { offset: 0, text: `n${node}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
  const [refused] = answers.filter(({ status }) => status === 400);
  assert.equal(refused?.body.error.details[0].offset, 2);
});

test('a stream survives the crash of its node without loss, and can be stopped from another node', async () => {
  const { id } = await begin(2);
  let whole = '';
  for (let count = 0; count < 10; count++) {
    const text = `piece${count} `;
    assert.equal((await append(2, id, { offset: whole.length, text })).status, 200);
    whole += text;
  }
  await until(() => textOf(deltasAt(0, id)) === whole);
  await site.at(2).end('SIGKILL');
  // The other nodes have received the text, including the uncommitted part.
  assert.equal((await messageAt(0, id)).content, whole);
  const next = await append(0, id, { offset: whole.length, text: 'and on' });
  assert.equal(next.status, 200, next.text);
  const stopped = await call(site.at(1), 'POST', `/api/v1/messages/${id}/stop`, { key: site.key });
  assert.equal(stopped.status, 200, stopped.text);
  const { content, stream } = await messageAt(0, id);
  assert.deepEqual([content, stream], [`${whole}and on`, 'stopped']);
  assert.equal((await append(0, id, { offset: content.length, text: 'x' })).status, 400);
});
