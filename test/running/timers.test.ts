// @run both, waits, measured: counts the timers of a server process at rest
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { engine } from '../support/databases.ts';
import { call, Stage, until } from '../support/process.ts';

/** How long after the last activity a node becomes idle, including the time for its startup work. */
const UNTIL_REST_MS = 30_000;
const MEASURED_MS = 30_000;
/** An idle node's timers: two rounds, the leader's round with its writes, and Node's check of connections. */
const MAX_FIRED = { sqlite: 12, postgres: 30 };

const stage = new Stage();
after(() => stage.close());

test('at rest, a server has no timer except for its rare rounds, and it wakes immediately', async (t) => {
  const folder = stage.folder();
  const file = join(stage.folder(), 'fired');
  const environment = {
    NODE_OPTIONS: `--import=${import.meta.resolve('../support/timersFired.ts')}`,
    TIMERS_FIRED: file,
  };
  const server = await stage.start(folder, { environment });
  const fired = async (): Promise<number> => {
    const { child } = server;
    let text = '';
    rmSync(file, { force: true });
    child.kill('SIGUSR2');
    await until(() => {
      try {
        text = readFileSync(file, 'utf8');
      } catch {
        // The file does not exist yet.
      }
      return text.endsWith('\n');
    });
    return Number(text);
  };
  // The process itself is measured over a time in which nothing happens, so there is no event to wait for.
  await sleep(UNTIL_REST_MS);
  const before = await fired();
  await sleep(MEASURED_MS);
  const after = await fired();
  t.diagnostic(`${after - before} timers fired in ${MEASURED_MS / 1_000} s, ${before} before`);
  assert.ok(before > 2 * MAX_FIRED[engine], 'the counter works');
  assert.ok(after - before <= MAX_FIRED[engine], `${after - before} timers fired`);
  const body = { channelId: server.channelId, content: 'Good morning' };
  const sent = await call(server, 'POST', '/api/v1/messages', { key: server.key, body });
  assert.equal(sent.status, 200);
  await server.end();
});
