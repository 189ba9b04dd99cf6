import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openData } from '../server/src/node/data.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { LOAD_CORE } from './load.ts';
import { makeTenants, type Tenant } from './manyKeys.ts';
import type { PageTimes } from './pages.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { median, quick, report, say } from './report.ts';
import { StreamClients } from './streams.ts';

const SERVERS = quick ? 200 : 1_000;
const KEYS_OF_SERVER = 10;
/** How many seconds pages are read, without and with permission changes. */
const SECONDS = quick ? 10 : 30;
const CHANGES_PER_SECOND = 10;
const REVOCATIONS = 10;
const GOAL_MS = 50;
const LOST_MS = 1_000;

/**
 * Reads pages while streams with different keys are open, with and without permission changes, and measures how long
 * the stream of a revoked key stays open.
 */
export async function measureRights(isOnPostgres: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const postgres = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
  try {
    const database = (await postgres?.createDatabase()) ?? '';
    const streams = (SERVERS * KEYS_OF_SERVER).toLocaleString('en');
    say(`Creating ${streams} keys in ${SERVERS.toLocaleString('en')} servers…`);
    const data = await openData({ data: folder, database });
    const tenants = await makeTenants(data, SERVERS, KEYS_OF_SERVER);
    await data.db.close();
    const node = await startOnServerCore(
      'server/bin/palaver.js',
      ['start', '--data', folder, '--port', '0'],
      {
        PALAVER_LIMITS: '{"*":0}',
        PALAVER_STREAMS_PER_USER: String(SERVERS * KEYS_OF_SERVER),
        PALAVER_STREAMS: String(2 * SERVERS * KEYS_OF_SERVER),
        ...(database && { DATABASE_URL: database }),
      },
    );
    try {
      await measureBeside(node, tenants, folder, isOnPostgres ? 'PostgreSQL' : 'SQLite');
    } finally {
      await node.stop();
    }
  } finally {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureBeside(
  node: Running,
  tenants: Tenant[],
  folder: string,
  engine: string,
): Promise<void> {
  const keys = tenants.flatMap(({ keys }) => keys);
  say(`Opening ${keys.length.toLocaleString('en')} streams with different keys, on ${engine}…`);
  const clients = await StreamClients.gather(
    node,
    keys.length,
    keys.map(({ key }) => key),
    folder,
  );
  const pages = new Pages(node, tenants, folder);
  await sleep(5_000);
  await pages.read(2, 0);
  const cpu = async (seconds: number, changes: number) => {
    const before = node.cpu();
    const times = await pages.read(seconds, changes);
    return { ...times, cpu: ((node.cpu() - before) / seconds) * 100 };
  };
  const alone = await cpu(SECONDS, 0);
  const [beside, lost] = await Promise.all([
    cpu(SECONDS, CHANGES_PER_SECOND),
    revocationTimes(clients, tenants, (SECONDS * 1_000) / (REVOCATIONS + 1)),
  ]);
  const shown = ({ p50, p99, longest, cpu }: typeof alone) =>
    `median ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, longest ${longest.toFixed(0)} ms, ${cpu.toFixed(0)} % of a core`;
  report(
    `${engine}: p99 of a page during ${CHANGES_PER_SECOND} permission changes a second`,
    beside.net,
    ' ms',
    `≤ ${GOAL_MS} ms`,
    beside.net <= GOAL_MS,
    ` without the time spent waiting for a core (${shown(beside)}; without changes ${shown(alone)})`,
  );
  const last = Math.max(...lost);
  report(
    `${engine}: time until a revoked key's stream ends`,
    last,
    ' ms',
    `≤ ${LOST_MS} ms`,
    last <= LOST_MS,
    ` at most (median ${median(lost).toFixed(0)} ms)`,
  );
  clients.disperse();
  pages.end();
}

/**
 * Revokes keys one after another, each from a different tenant. Returns the milliseconds until their streams ended.
 */
async function revocationTimes(
  clients: StreamClients,
  tenants: Tenant[],
  pauseMs: number,
): Promise<number[]> {
  const times: number[] = [];
  while (times.length < REVOCATIONS) {
    await sleep(pauseMs);
    const place = Math.floor((times.length * tenants.length) / REVOCATIONS);
    const { admin, keys } = tenants[place] as Tenant;
    // Uses a key other than the tenant's first one, which reads pages.
    const { id } = keys[1] as Tenant['keys'][0];
    times.push(await clients.revoke(place * KEYS_OF_SERVER + 1, id, admin));
  }
  return times;
}

/** The process that reads pages and changes permissions: see `pages.ts`. */
class Pages {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor({ url, pid }: Running, tenants: Tenant[], folder: string) {
    const file = join(folder, 'tenants.json');
    writeFileSync(file, JSON.stringify(tenants));
    const script = join(import.meta.dirname, 'pages.ts');
    const args = ['-c', LOAD_CORE, process.execPath, script, url, String(pid), file];
    this.#child = spawn('taskset', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const input = this.#child.stdout as NodeJS.ReadableStream;
    this.#lines = createInterface({ input })[Symbol.asyncIterator]();
  }

  async read(seconds: number, changes: number): Promise<PageTimes> {
    this.#child.stdin?.write(`${seconds} ${changes}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the reader of pages failed');
    return JSON.parse(value);
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}
