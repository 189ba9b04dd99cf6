import { test } from 'node:test';

test('follows', () => {});
