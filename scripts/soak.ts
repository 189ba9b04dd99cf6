import { parseArgs } from 'node:util';
import { soakAlone, soakEnvironment, soakFlow } from '../test/support/flowSoak.ts';
import { Site } from '../test/support/nodes.ts';
import { type Running, Stage } from '../test/support/process.ts';

// Long-running tests, started manually: `npm run soak -- flows`. With `--engine postgres`, uses PostgreSQL;
// with `--nodes 3`, uses three nodes, one of which is frozen in each round. Prints the number of runs and
// their maximum delay.
const { positionals, values } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'sqlite' },
    nodes: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '18' },
    runs: { type: 'string', default: '667' },
  },
});
/** A frozen node resumes this long after the killed node was restarted, in ms. */
const FROZEN_MS = 5_000;
const [rounds, runs, nodes] = [values.rounds, values.runs, values.nodes].map(Number) as [
  number,
  number,
  number,
];

if (positionals.join() !== 'flows')
  throw new Error('usage: npm run soak -- flows [--engine postgres] [--nodes 3]');
const from = performance.now();
const soaked = await (values.engine === 'postgres' || nodes > 1 ? onPostgres() : onSqlite());
const seconds = ((performance.now() - from) / 1_000).toFixed(0);
console.log(
  `${soaked.runs} runs over ${rounds} kills in ${seconds} s, the latest ${soaked.latestMs} ms late`,
);

async function onSqlite() {
  const stage = new Stage();
  try {
    return await soakAlone(stage, { rounds, runs });
  } finally {
    await stage.close();
  }
}

/** In each round, freezes the last node and kills the first one. Both run again before the next round. */
async function onPostgres() {
  const site = await Site.open(nodes, soakEnvironment);
  try {
    const frozen = nodes > 2 ? (site.nodes.at(-1) as Running) : undefined;
    const answering = frozen ? nodes - 1 : nodes;
    return await soakFlow(
      {
        key: site.key,
        at: (number) => site.nodes[number % answering] as Running,
        async kill() {
          frozen?.child.kill('SIGSTOP');
          await site.nodes[0]?.end('SIGKILL');
        },
        async restart() {
          site.nodes[0] = await site.start(soakEnvironment);
          setTimeout(() => frozen?.child.kill('SIGCONT'), FROZEN_MS);
        },
      },
      { rounds, runs },
    );
  } finally {
    await site.close();
  }
}
