// `node scripts/run.js scripts/test.ts` runs that script, also in a fresh checkout and under any Node from 20 on.
import { fileURLToPath } from 'node:url';
import { buildClient, generateClient, install, run } from '../server/bin/checkout.js';

await install('everything');
if (!(await generateClient('everything'))) process.exit(1);
// Tests open the client, checks weigh it, and the package has it.
const needsNoClient = ['web/build.js', 'scripts/strings/index.ts'];
if (!needsNoClient.includes(process.argv[2]) && !(await buildClient())) process.exit(1);
await run(fileURLToPath(import.meta.url), () => import(`../${process.argv[2]}`));
