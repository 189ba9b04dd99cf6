import { measureEmbedded } from './embedded.ts';
import { measureFeed } from './feed.ts';
import { measurePostgres } from './postgres.ts';
import { measureReads } from './reads.ts';
import { measureTenants } from './tenants.ts';

/**
 * `npm run bench` measures the embedded engine; with `--engine postgres` PostgreSQL, with `--feed` event streams, with
 * `--reads` the time of each read, with `--tenants` what one tenant can do to another, on either engine.
 * `--quick` takes a minute.
 */
const isOnPostgres =
  process.argv.includes('--engine') && process.argv[process.argv.indexOf('--engine') + 1] === 'postgres';
if (process.argv.includes('--feed')) await measureFeed();
else if (process.argv.includes('--reads')) await measureReads();
else if (process.argv.includes('--tenants')) await measureTenants(isOnPostgres);
else if (isOnPostgres) await measurePostgres();
else await measureEmbedded();
