// @run waits: waits until the runs of killed processes are taken over
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { soakAlone } from '../support/flowSoak.ts';
import { Stage } from '../support/process.ts';

const ROUNDS = 3;
const RUNS = 200;

const stage = new Stage();
after(() => stage.close());

test(`${ROUNDS * RUNS} runs of a flow over ${ROUNDS} kills: each step runs exactly once`, async () => {
  const { runs } = await soakAlone(stage, { rounds: ROUNDS, runs: RUNS });
  assert.equal(runs, ROUNDS * RUNS);
});
