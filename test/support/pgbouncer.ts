import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ask } from './databases.ts';
import { unprivileged } from './postgresServer.ts';
import { gone, until } from './process.ts';
import { freePort } from './valkeyServer.ts';

/** A PgBouncer instance started for this test. */
export interface Bouncer {
  /** The URL of a database behind PgBouncer. */
  urlOf(database: string): string;
  close(): Promise<void>;
}

/** The path of PgBouncer; undefined if it is not installed. */
export const bouncerBinary = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find((program) => existsSync(program));

/** Starts PgBouncer in front of the server in `url`, with a minimal configuration. */
export async function startBouncer(
  url: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<Bouncer> {
  const { hostname, port, username } = new URL(url);
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'palaver-pgbouncer-'));
  const own = await freePort();
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
`,
  );
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const child = spawn(bouncerBinary() as string, [join(folder, 'pgbouncer.ini')], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  });
  const urlOf = (database: string): string => Object.assign(new URL(database), { port: String(own) }).href;
  await until(() =>
    ask(urlOf(url), 'select 1').then(
      () => true,
      () => false,
    ),
  );
  return {
    urlOf,
    async close() {
      child.kill('SIGKILL');
      await gone(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
