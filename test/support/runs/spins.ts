import { test } from 'node:test';

test('never comes to rest', () => {
  for (;;);
});
