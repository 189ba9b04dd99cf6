import { spawn } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from './load.ts';
import { CONTENT } from './report.ts';

export const PGBENCH_CLIENTS = 32;

/** Writes a pgbench script and returns its path. */
export function writeScript(folder: string, name: string, sql: string): string {
  const file = join(folder, name);
  writeFileSync(file, sql);
  return file;
}

/** A script that inserts a row for a message. */
export const insertScript = (
  folder: string,
  channel: { id: string; serverId: string },
  creatorId: string,
): string =>
  writeScript(
    folder,
    'insert.sql',
    `insert into message (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content,
      deleted, "editedAt", "threadId", "replyToId", pinned, reactions)
      values (gen_random_uuid(), 1800000000000, 1800000000000, '${channel.serverId}', 'person', '${channel.id}', false,
        '${creatorId}', '${CONTENT}', false, null, null, null, false, '[]');`,
  );

/** Runs a script repeatedly for some seconds. */
export async function pgbench(database: string, script: string, seconds: number): Promise<Figures> {
  const [program = 'pgbench'] = globSync('/usr/lib/postgresql/*/bin/pgbench').sort().reverse();
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(PGBENCH_CLIENTS),
    '-j',
    '2',
    '-T',
    String(seconds),
    '-f',
    script,
    database,
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!(rate > 0)) throw new Error(`pgbench failed: ${output}`);
  return { rate, p99: 0, failed: 0 };
}
