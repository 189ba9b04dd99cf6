import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reader } from '../../server/src/db/contract.ts';
import type { Statement } from '../../server/src/db/statements.ts';
import { anySweptMessages } from '../../server/src/db/sweep.ts';
import { type Own, OwnMessages } from '../../server/src/resources/serverState/ownMessages.ts';

const ADA = 'ada';

/** A server's state and log, whose events are applied by `send` and `remove`. */
class Stage {
  readonly own = new OwnMessages();
  readonly serverId = 'server';
  /** The position of the state, and that of the log, which may be ahead. */
  seq = 10;
  logged = 10;
  /** Ada's messages in the database. */
  rows = ['1', '3'].map((own) => ({ channelId: 'a', own }));
  isSweeping = false;
  engine = 'sqlite';
  readonly #removed = new Map<string, number>();

  removedAt = (channelId: string): number => this.#removed.get(channelId) ?? 0;

  /** Applies an event of the log. */
  send(messageId: string): void {
    this.seq++;
    this.own.sent(this, ADA, 'a', messageId);
  }

  remove(): void {
    this.seq++;
    this.#removed.set('a', this.seq);
  }

  /** Reads Ada's messages. `meanwhile` runs after the statements, and before their results arrive. */
  async read(meanwhile = () => {}): Promise<Own> {
    const results = new Promise<void>((resolve) => setImmediate(resolve));
    const db = {
      dialect: { name: this.engine },
      first: ({ template }: Statement<unknown>) =>
        template === anySweptMessages({}).template
          ? this.#at(this.isSweeping ? { id: 'thread' } : undefined, results)
          : this.#at({ seq: this.logged, epoch: 'e' }, results),
      all: () => this.#at([...this.rows], results),
    } as unknown as Reader;
    const own = this.own.of(db, this, ADA);
    meanwhile();
    return (await own) as Own;
  }

  async #at<T>(result: T, when: Promise<void>): Promise<T> {
    await when;
    return result;
  }
}

const countsIn = (own: Own) => ['0', '1', '3', '5'].map((marker) => own.after('a', marker));

test("a person's own messages are counted from those read once, and from later events", async () => {
  const stage = new Stage();
  const own = await stage.read();
  assert.deepEqual(countsIn(own), [2, 1, 0, 0]);
  assert.equal(own.after('other', '0'), 0);
  stage.send('5');
  assert.deepEqual(countsIn(own), [3, 2, 1, 0]);
  assert.equal(await stage.read(), own);
});

test('messages whose events are applied while they are read are counted once', async () => {
  const stage = new Stage();
  // The statements have not seen this message.
  const own = await stage.read(() => stage.send('5'));
  assert.deepEqual(countsIn(own), [3, 2, 1, 0]);
});

test('messages that were read before their events are applied are unknown until then', async () => {
  const stage = new Stage();
  stage.rows.push({ channelId: 'a', own: '5' });
  stage.logged = 11;
  const own = await stage.read();
  assert.deepEqual(countsIn(own), [undefined, undefined, undefined, 0]);
  stage.send('5');
  assert.deepEqual(countsIn(own), [3, 2, 1, 0]);
});

test('after messages of a channel were deleted, the number of own messages is unknown', async () => {
  const stage = new Stage();
  const own = await stage.read();
  stage.remove();
  assert.deepEqual(countsIn(own), [undefined, undefined, 0, 0]);
  assert.deepEqual(countsIn(await new Stage().read()), [2, 1, 0, 0]);
});

test('if the log advances between the statements, only the latest message is known', async () => {
  const stage = new Stage();
  let reads = 0;
  Object.defineProperty(stage, 'logged', { get: () => 10 + reads++ });
  assert.deepEqual(countsIn(await stage.read()), [undefined, undefined, 0, 0]);
});

test('a message that was deleted before it could be read is not counted once its event is applied', async () => {
  const stage = new Stage();
  // The log has the message and its deletion.
  stage.logged = 12;
  const own = await stage.read();
  stage.send('5');
  stage.remove();
  assert.deepEqual(countsIn(own), [2, 1, 0, 0]);
});

test('during a sweep, which deletes messages without events, only the latest message is known', async () => {
  const stage = new Stage();
  stage.isSweeping = true;
  const own = await stage.read();
  assert.deepEqual(countsIn(own), [undefined, undefined, 0, 0]);
  stage.isSweeping = false;
  stage.rows = [{ channelId: 'a', own: '1' }];
  assert.deepEqual(countsIn(await stage.read()), [1, 0, 0, 0]);
});

test('on an engine that only reads the latest message, it is cached even during a sweep', async () => {
  const stage = new Stage();
  stage.engine = 'postgres';
  stage.isSweeping = true;
  const own = await stage.read(() => stage.send('5'));
  assert.deepEqual(countsIn(own), [undefined, undefined, undefined, 0]);
  assert.equal(await stage.read(), own);
});
