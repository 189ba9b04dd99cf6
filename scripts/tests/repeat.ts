import { spawn } from 'node:child_process';
import type { Result } from './job.ts';
import type { Options } from './options.ts';
import type { Job } from './suites.ts';
import { say, type Tally } from './tally.ts';

const HOGS = 2;

/** Starts processes that hog the CPU. Returns a function that ends them. */
function hogs(): () => void {
  const children = Array.from({ length: HOGS }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}

/** Runs a job repeatedly, and reports how often it failed and how long it took. */
export async function repeated(
  job: Job,
  { repeat, hog }: Options,
  run: () => Promise<Result[]>,
  tally: Tally,
): Promise<void> {
  const end = hog ? hogs() : undefined;
  const name = `${job.engine}  ${job.files.join(', ').replaceAll('.test.ts', '')}`;
  const took: { seconds: number; cpu: number }[] = [];
  let failedRuns = 0;
  try {
    for (let number = 1; number <= repeat; number++) {
      const results = await run();
      const sum = (of: 'passed' | 'failed' | 'seconds' | 'cpu') =>
        results.reduce((all, each) => all + each[of], 0);
      const [seconds, cpu] = [sum('seconds'), sum('cpu')];
      took.push({ seconds, cpu });
      if (sum('failed') > 0) failedRuns++;
      tally.add(
        `${number} of ${repeat}  ${name}`,
        { passed: sum('passed'), failed: sum('failed') },
        seconds,
        cpu,
      );
    }
  } finally {
    end?.();
  }
  const sorted = (of: 'seconds' | 'cpu') => took.map((each) => each[of]).sort((one, other) => one - other);
  const spread = (all: readonly number[]) =>
    [all[0], all[all.length >> 1], all.at(-1)].map((each) => each?.toFixed(1)).join(' / ');
  say(
    `${name}: ${failedRuns} of ${repeat} runs failed; min / median / max: ${spread(sorted('seconds'))} s, CPU ${spread(sorted('cpu'))} s\n`,
  );
}
