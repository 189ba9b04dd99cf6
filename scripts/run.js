// `node scripts/run.js scripts/test.ts` runs that script, also in a fresh checkout and under any Node from 20 on.
import { fileURLToPath } from 'node:url';
import { install, run } from '../server/bin/checkout.js';

await install('everything');
await run(fileURLToPath(import.meta.url), () => import(`../${process.argv[2]}`));
