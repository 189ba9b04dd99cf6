import { test } from 'node:test';

// The timer keeps the process from ending by itself.
test('waits for ever', () => new Promise(() => setInterval(() => {}, 1_000)));
