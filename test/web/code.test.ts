// @run sqlite: tests the web client
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCostly } from '../../web/features/code/costly.ts';

test('long runs of words in C-like code, and long code, are not highlighted', () => {
  const run = 'a '.repeat(5_000);
  for (const language of ['c', 'C++', 'cpp', 'hpp', 'arduino', 'csharp'])
    assert.equal(isCostly(run, language), true, language);
  assert.equal(isCostly(run, 'yaml'), false);
  assert.equal(isCostly(`${run}a`, 'yaml'), true);
  assert.equal(isCostly('int main(void) { return 0; }\n'.repeat(300), 'c'), false);
});
