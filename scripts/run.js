// `node scripts/run.js scripts/test.ts` runs that script, even in a fresh checkout, with Node 20 or later.
import { fileURLToPath } from 'node:url';
import { buildClient, generateClient, install, run } from '../server/bin/checkout.js';

await install('everything');
if (!(await generateClient('everything'))) process.exit(1);
// Tests, checks and the package need the built client. These scripts do not.
const needsNoClient = ['web/build.js', 'scripts/strings/index.ts'];
if (!needsNoClient.includes(process.argv[2]) && !(await buildClient())) process.exit(1);
await run(fileURLToPath(import.meta.url), () => import(`../${process.argv[2]}`));
