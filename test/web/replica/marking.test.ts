import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { realAround } from '../../../web/replica/around.ts';
import { Marking, type MarkingAround } from '../../../web/replica/marking.ts';
import type { Reading } from '../../../web/replica/reading.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api } from '../../../web/replica/types.ts';

const MARK = { channelId: 'channel', messageId: 'message', unreadAt: 0 };

/** The requests sent within a minute if the server returns this status, and the places settled. */
async function sentWhen(status: number): Promise<{ sent: object[]; settled: string[] }> {
  const [sent, settled]: [object[], string[]] = [[], []];
  let now = 0;
  const timers: { at: number; run: () => void }[] = [];
  const around = {
    ...realAround,
    now: () => now,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
    },
  };
  const api = () => ({
    personRead: async (input: object) => {
      sent.push(input);
      throw Object.assign(new Error('refused'), { status });
    },
  });
  const reading = {
    latest: () => undefined,
    channel: () => undefined,
    moved: () => {},
    told: (id: string) => settled.push(id),
  };
  const of: MarkingAround = {
    api: api as unknown as Api,
    around,
    replica: new Replica(() => {}),
    reading: reading as unknown as Reading,
    lineOf: () => undefined,
  };
  const marking = new Marking(of);
  marking.read({ serverId: 'server', channelId: MARK.channelId }, MARK.messageId);
  for (; now < 60_000; now += 100) {
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.run();
    }
    // Responses arrive before the clock advances.
    for (let step = 0; step < 2; step++) await turn();
  }
  marking.stop();
  return { sent, settled };
}

test('a read marker is retried with a delay while the server is unreachable or limits requests', async () => {
  for (const status of [0, 429, 500, 503]) {
    const { sent, settled } = await sentWhen(status);
    assert.ok(sent.length > 5 && sent.length < 12, `${status}: ${sent.length}`);
    assert.deepEqual(sent.at(-1), { marks: [MARK] }, 'the same marker');
    assert.deepEqual(settled, [], `${status}: not settled`);
  }
});

test('a rejected read marker is settled, not retried', async () => {
  for (const status of [400, 403, 404, 499])
    assert.deepEqual(await sentWhen(status), { sent: [{ marks: [MARK] }], settled: [MARK.channelId] });
});
