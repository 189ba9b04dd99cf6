import { measureBackup } from './backup.ts';
import { measureChanges } from './changes.ts';
import { measureClient } from './client/index.ts';
import { measureConversations } from './conversations.ts';
import { measureCores } from './cores.ts';
import { measureCosts } from './costs.ts';
import { measureCrowd } from './crowd/index.ts';
import { measureEmbedded } from './embedded.ts';
import { measureExports } from './exports.ts';
import { measureFeed } from './feed.ts';
import { measureFlows } from './flows.ts';
import { measureIdle } from './idle.ts';
import { measureImports } from './imports.ts';
import { measureMcp } from './mcp.ts';
import { measurePeople, measurePictures } from './people.ts';
import { measurePostgres } from './postgres.ts';
import { measureReading } from './reading.ts';
import { measureReads } from './reads.ts';
import { optionOf } from './report.ts';
import { measureRetention } from './retention.ts';
import { measureRights } from './rights.ts';
import { measureSends } from './sends.ts';
import { measureServers } from './servers.ts';
import { runSimulation } from './simulate.ts';
import { measureStart } from './start.ts';
import { measureTenants } from './tenants.ts';
import { measureWriter } from './writer.ts';

/**
 * `npm run bench` measures the embedded engine. `--engine postgres` measures PostgreSQL; with `--servers`,
 * only sends to many servers.
 *
 * - `--feed`: event streams; `--rights`: only its last part, pages during permission changes.
 * - `--people`: sessions; `--reading`: only unread counts; `--pictures`: only first snapshots.
 * - `--crowd`: a large community, in a mix of requests.
 * - `--retention`: how expiring messages affect another server.
 * - `--imports`: an import of 500,000 messages.
 * - `--backup`: requests during a backup, and a restore. `--start`: starts of an empty server, and its cost at rest.
 * - `--changes`: creating and rotating keys, and sends while a large channel is deleted.
 * - `--exports`: an export of a large server whose node is killed.
 * - `--flows`: flow runs, and many flows that are due at once.
 * - `--mcp`: MCP tool calls compared with REST.
 * - `--conversations`: a server with many direct messages compared with one without.
 * - `--reads`: the time of each read. `--tenants`: how one tenant affects another. `--idle`: an idle node.
 *   `--cores`: a second core. `--writer`: a writer behind HTTP threads. `--client`: the web client.
 *   `--sends`: the CPU time of a send, compared with another version.
 * - `--costs`: the cost of each kind of work in an installation. `--simulate`: sizes large installations from
 *   these costs.
 */
const isOnPostgres = optionOf('--engine') === 'postgres';
if (process.argv.includes('--feed')) await measureFeed();
else if (process.argv.includes('--imports')) await measureImports();
else if (process.argv.includes('--retention')) await measureRetention(isOnPostgres);
else if (process.argv.includes('--backup')) await measureBackup();
else if (process.argv.includes('--changes')) await measureChanges(isOnPostgres);
else if (process.argv.includes('--start')) await measureStart();
else if (process.argv.includes('--exports')) await measureExports(isOnPostgres);
else if (process.argv.includes('--flows')) await measureFlows(isOnPostgres);
else if (process.argv.includes('--mcp')) await measureMcp();
else if (process.argv.includes('--rights')) await measureRights(isOnPostgres);
else if (process.argv.includes('--client')) await measureClient();
else if (process.argv.includes('--sends')) await measureSends();
else if (process.argv.includes('--cores')) await measureCores();
else if (process.argv.includes('--writer')) await measureWriter();
else if (process.argv.includes('--costs')) await measureCosts();
else if (process.argv.includes('--simulate')) runSimulation();
else if (process.argv.includes('--conversations')) await measureConversations(isOnPostgres);
else if (process.argv.includes('--crowd')) await measureCrowd(isOnPostgres);
else if (process.argv.includes('--idle')) await measureIdle();
else if (process.argv.includes('--reading')) await measureReading(isOnPostgres);
else if (process.argv.includes('--pictures')) await measurePictures(isOnPostgres);
else if (process.argv.includes('--people')) await measurePeople(isOnPostgres);
else if (process.argv.includes('--reads')) await measureReads(isOnPostgres);
else if (process.argv.includes('--tenants')) await measureTenants(isOnPostgres);
else if (isOnPostgres && process.argv.includes('--servers')) await measureServers();
else if (isOnPostgres) await measurePostgres();
else await measureEmbedded();
