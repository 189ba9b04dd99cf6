// `node scripts/run.js scripts/test.ts` runs that script, also in a fresh checkout and under any Node from 20 on.
import { fileURLToPath } from 'node:url';
import { buildClient, install, run } from '../server/bin/checkout.js';

await install('everything');
// Tests open the client, checks weigh it, and the package has it.
if (process.argv[2] !== 'web/build.js' && !(await buildClient())) process.exit(1);
await run(fileURLToPath(import.meta.url), () => import(`../${process.argv[2]}`));
