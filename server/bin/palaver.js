#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { install, run } from './checkout.js';

await install('server');
await run(fileURLToPath(import.meta.url), () => import('../src/main.ts'));
