import { measureEmbedded } from './embedded.ts';
import { measurePostgres } from './postgres.ts';

/** `npm run bench`: measures the embedded engine, or with `--engine postgres` the one on PostgreSQL; `--quick` in a minute. */
const engine = process.argv[process.argv.indexOf('--engine') + 1];
if (process.argv.includes('--engine') && engine === 'postgres') await measurePostgres();
else await measureEmbedded();
