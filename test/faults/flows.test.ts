// @run waits: waits until the runs of killed processes are taken over
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { soakEnvironment, soakFlow } from '../support/flowSoak.ts';
import { Stage } from '../support/process.ts';

const ROUNDS = 3;
const RUNS = 200;

const stage = new Stage();
after(() => stage.close());

test(`${ROUNDS * RUNS} runs of a flow over ${ROUNDS} kills: each step exactly once`, async () => {
  const folder = stage.folder();
  const start = () => stage.start(folder, { environment: soakEnvironment });
  let server = await start();
  const { key } = server;
  const { runs } = await soakFlow(
    {
      key,
      at: () => server,
      async kill() {
        await server.end('SIGKILL');
      },
      async restart() {
        server = await start();
      },
    },
    { rounds: ROUNDS, runs: RUNS },
  );
  assert.equal(runs, ROUNDS * RUNS);
  assert.equal(await server.end(), 0);
});
