import { describe } from 'node:test';
import { LONGEST_MS } from './testJob.ts';

// Runs the test files that it is given, one after the other. Each is a suite, so that its hooks are for its own tests.
for (const file of process.argv.slice(2))
  describe(file, { timeout: LONGEST_MS }, async () => void (await import(`../test/${file}`)));
