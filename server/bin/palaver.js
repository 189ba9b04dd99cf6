#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { buildClient, generateClient, install, isServer, run } from './checkout.js';

if (!isServer) {
  await install('server');
  if (process.argv[2] === 'start' && (await generateClient('server'))) await buildClient();
}
await run(fileURLToPath(import.meta.url), () => import('../src/main.ts'));
