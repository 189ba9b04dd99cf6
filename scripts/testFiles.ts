import { appendFileSync } from 'node:fs';
import { after, describe } from 'node:test';
import { cpuSeconds } from './cpu.ts';
import { CPU_FILE, LONGEST_MS } from './testJob.ts';

/** Notes the processor time so far: at the end of each file, and at that of the process. */
function note(): void {
  const place = process.env[CPU_FILE];
  if (place !== undefined) appendFileSync(place, `${cpuSeconds()}\n`);
}

// Runs the test files that it is given, one after the other. Each is a suite, so that its hooks are for its own tests.
for (const file of process.argv.slice(2))
  describe(file, { timeout: LONGEST_MS }, async () => {
    await import(`../test/${file}`);
    after(note);
  });
process.on('exit', note);
