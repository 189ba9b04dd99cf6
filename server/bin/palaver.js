#!/usr/bin/env node
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildClient, buildServer, generateClient, install, isServer, run } from './checkout.js';

let program;
if (!isServer) {
  await install('server');
  if (process.argv[2] === 'start') {
    const client = generateClient('server').then((done) => done && buildClient());
    [program] = await Promise.all([buildServer(), client]);
  }
}
await run(program ?? fileURLToPath(import.meta.url), () =>
  program ? import(pathToFileURL(program).href) : import('../src/main.ts'),
);
