import { measureEmbedded } from './embedded.ts';
import { measureFeed } from './feed.ts';
import { measurePostgres } from './postgres.ts';
import { measureReads } from './reads.ts';

/**
 * `npm run bench` measures the embedded engine; with `--engine postgres` PostgreSQL, with `--feed` event streams, with
 * `--reads` the time of each read.
 * `--quick` takes a minute.
 */
const engine = process.argv[process.argv.indexOf('--engine') + 1];
if (process.argv.includes('--feed')) await measureFeed();
else if (process.argv.includes('--reads')) await measureReads();
else if (process.argv.includes('--engine') && engine === 'postgres') await measurePostgres();
else await measureEmbedded();
