import { type AsyncHook, createHook } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { end } from '../test/support/atEnd.ts';
import { cpuSeconds } from './cpu.ts';
import { CPU_FILE } from './testJob.ts';

/** Notes the processor time so far: at the end of each file, and at that of the process. */
function note(): void {
  const place = process.env[CPU_FILE];
  const { all, unseen } = cpuSeconds();
  if (place !== undefined) appendFileSync(place, `${all} ${unseen}\n`);
}

/**
 * The hook that node:test sets up in `begin`. By it node:test knows to which suite a test belongs, and follows every promise
 * and request of the tests, to name the test that made an error which no test has caught.
 */
function hookOf(begin: () => void): AsyncHook {
  const hooks = Object.getPrototypeOf(createHook({}));
  const { enable } = hooks;
  let hook: AsyncHook | undefined;
  hooks.enable = function (this: AsyncHook) {
    hook = this;
    return enable.call(this);
  };
  begin();
  hooks.enable = enable;
  if (hook === undefined) throw new Error('node:test has set up no hook');
  return hook;
}

const [longest, ...files] = [Number(process.argv[2]), ...process.argv.slice(3)];
let imported = 0;

// Runs the test files that it is given, one after the other. Each is a suite, so that its hooks are for its own tests.
const hook = hookOf(() => {
  for (const file of files)
    describe(file, { timeout: longest }, async () => {
      before(stopFollowing);
      await import(`../test/${file}`);
      imported++;
      after(note);
    });
  after(end);
});

/**
 * Disables the hook once every test has its suite. It would cost a third of the processor time from here on, for no more than
 * that name: the error fails its file all the same, and is printed here.
 */
function stopFollowing(): void {
  if (imported === files.length) hook.disable();
}
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.prependListener(event, (error) => console.error('an error that no test has caught:', error));
process.on('exit', note);
