import { test } from 'node:test';

// The timer keeps the process from exiting.
test('waits for ever', () => new Promise(() => setInterval(() => {}, 1_000)));
