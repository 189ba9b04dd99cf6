// @run waits: waits for a minute of silence
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const ROUNDS = 2;
/** The number of pieces in which each stream is appended. */
const PIECES = 40;

const environment = { PALAVER_LIMITS: '{"*":0}' };

const stage = new Stage();
after(() => stage.close());

const pieceOf = (number: number): string => `piece ${number} 𝒳, `;

/** An agent that streams a message, and after an error continues at the offset that the server returns. */
class Agent {
  readonly #whole: string;
  #offset = 0;
  id = '';

  constructor(pieces: number) {
    this.#whole = Array.from({ length: pieces }, (_, number) => pieceOf(number)).join('');
  }

  get whole(): string {
    return this.#whole;
  }

  async begin(server: Running, channelId: string): Promise<void> {
    const { key } = server;
    const body = { channelId, streaming: true };
    const answer = await call(server, 'POST', '/api/v1/messages', { key, body });
    this.id = answer.body.data.id;
  }

  /** Appends the next pieces, up to this share of the text. Returns false if the server is gone. */
  async append(server: Running, key: string, share: number): Promise<boolean> {
    const end = Math.floor(this.#whole.length * share);
    while (this.#offset < end) {
      const code = this.#whole.codePointAt(this.#offset + 15);
      // Does not split a surrogate pair.
      const size = code !== undefined && code >= 0xdc00 && code <= 0xdfff ? 16 : 15;
      const text = this.#whole.slice(this.#offset, this.#offset + size);
      const done = this.#offset + text.length === this.#whole.length;
      const body = { offset: this.#offset, text, done };
      const answer = await call(server, 'POST', `/api/v1/messages/${this.id}/append`, { key, body }).catch(
        () => undefined,
      );
      if (!answer) return false;
      this.#offset = answer.status === 200 ? answer.body.data.offset : answer.body.error.details[0].offset;
    }
    return true;
  }
}

test('after the node is killed, streams continue where the server says, and are completed exactly once', async () => {
  const folder = stage.folder();
  let server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  const agents = Array.from({ length: 3 }, () => new Agent(PIECES));
  for (const agent of agents) await agent.begin(server, channelId);
  for (let round = 1; round <= ROUNDS; round++) {
    const share = round / (ROUNDS + 1);
    await Promise.all(agents.map((agent) => agent.append(server, key, share)));
    await server.end('SIGKILL');
    server = await stage.start(folder, { environment });
  }
  await Promise.all(agents.map((agent) => agent.append(server, key, 1)));
  const messages = await listOf(server, key, `/api/v1/channels/${channelId}/messages`);
  for (const { id, whole } of agents) {
    const found = messages.filter((message: Json) => message.id === id);
    assert.deepEqual(
      found.map(({ content, stream }: Json) => [content, stream]),
      [[whole, 'done']],
    );
  }
  const { data } = (await call(server, 'GET', '/api/v1/events?limit=100', { key })).body;
  const events = data.filter(({ type }: Json) => type.startsWith('message.'));
  assert.equal(events.length, 2 * agents.length);
  assert.equal(await server.end(), 0);
});

test('a stopping node commits the text in its streams', async () => {
  const folder = stage.folder();
  let server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  const agent = new Agent(PIECES);
  await agent.begin(server, channelId);
  assert.ok(await agent.append(server, key, 0.5));
  const textOf = async (): Promise<string> =>
    (await call(server, 'GET', `/api/v1/messages/${agent.id}`, { key })).body.data.content;
  const text = await textOf();
  assert.equal(await server.end(), 0);
  server = await stage.start(folder, { environment });
  assert.equal(await textOf(), text);
  assert.ok(await agent.append(server, key, 1));
  assert.equal(await textOf(), agent.whole);
  assert.equal(await server.end(), 0);
});

test('a stream whose agent and node are gone is stopped after a minute of silence', async () => {
  const folder = stage.folder();
  const server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  const agent = new Agent(PIECES);
  await agent.begin(server, channelId);
  await agent.append(server, key, 0.5);
  const path = `/api/v1/messages/${agent.id}`;
  // The text so far is committed within half a second.
  await until(async () => (await call(server, 'GET', path, { key })).body.data.content.length > 0);
  const began = Date.now();
  await server.end('SIGKILL');
  const next = await stage.start(folder, { environment });
  await until(async () => (await call(next, 'GET', path, { key })).body.data?.stream !== 'open', 90_000, 250);
  assert.ok(Date.now() - began > 55_000, 'the stream stays open for a minute');
  const answer = await call(next, 'GET', path, { key });
  if (answer.status === 200) {
    const { content, stream } = answer.body.data;
    assert.equal(stream, 'stopped');
    assert.ok(agent.whole.startsWith(content));
  }
  assert.equal(await next.end(), 0);
});
