import * as node from 'node:test';

type Tests = Pick<typeof node, 'test' | 'before' | 'after' | 'beforeEach' | 'afterEach'>;

/**
 * node:test's `test` and hooks for a whole file. With a reason to skip, all its tests are skipped and no hook runs.
 */
export function testsUnless(reason: string | false): Tests {
  const { test, before, after, beforeEach, afterEach } = node;
  if (reason === false) return { test, before, after, beforeEach, afterEach };
  const skipped = ((title: string) => test(title, { skip: reason })) as typeof test;
  const none = () => undefined;
  return { test: skipped, before: none, after: none, beforeEach: none, afterEach: none };
}
