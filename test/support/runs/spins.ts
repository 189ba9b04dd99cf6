import { test } from 'node:test';

test('blocks its process', () => {
  for (;;);
});
