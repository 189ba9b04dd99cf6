import { runJob } from '../../../scripts/tests/job.ts';

// `node run.ts <milliseconds> <file>…` runs files in this folder in the way `npm test` runs test files, and prints
// the results as JSON.
const [longest, ...names] = process.argv.slice(2);
const files = names.map((name) => `support/runs/${name}.ts`);
let text = '';
const results = await runJob(
  { files, engine: 'sqlite' },
  process.env,
  (piece) => {
    text += piece;
  },
  { longest: Number(longest), stopsAtFailure: process.env.STOPS_AT_FAILURE !== undefined },
);
console.log(
  JSON.stringify({ text, counts: results.map(({ file, passed, failed }) => ({ file, passed, failed })) }),
);
