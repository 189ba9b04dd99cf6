#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import {
  buildClient,
  buildServer,
  generateClient,
  importServer,
  install,
  isServer,
  run,
} from './checkout.js';

if (!isServer) {
  await install('server');
  if (process.argv[2] === 'start') {
    await Promise.all([generateClient('server').then((done) => done && buildClient()), buildServer()]);
  }
}
await run(fileURLToPath(import.meta.url), importServer);
