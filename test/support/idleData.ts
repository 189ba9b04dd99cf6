import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** The amount of data, and how much of it is followed. */
export interface Amounts {
  /** The number of servers, each with a role and an event past its retention. */
  servers: number;
  /** The number of these servers whose logs have a reader. */
  followed: number;
  /** The number of webhooks, each in its own server. */
  webhooks: number;
  /**
   * The number of flows in these servers: a third is started by events, a third by a schedule a year ahead, and a
   * third manually.
   */
  flows?: number;
}

const AGE_MS = 40 * 24 * 60 * 60_000;

/** The id of the server with this number, starting at 1. */
export const serverId = (number: number): string =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/**
 * Inserts idle servers, webhooks and flows directly into the tables of a migrated database: PostgreSQL, given by
 * its URL, or a SQLite file.
 */
export async function fillIdle(
  place: { url: string } | { file: string },
  amounts: Omit<Amounts, 'followed'>,
): Promise<void> {
  if ('file' in place) {
    const db = new DatabaseSync(place.file);
    db.exec('pragma synchronous = off');
    for (const statement of statements(amounts, false)) db.exec(statement);
    db.close();
    return;
  }
  const client = new Client(place.url);
  await client.connect();
  for (const statement of statements(amounts, true)) await client.query(statement);
  await client.query('vacuum analyze');
  await client.end();
}

function statements(
  { servers, webhooks, flows = 0 }: Omit<Amounts, 'followed'>,
  isPostgres: boolean,
): string[] {
  /** Ids for each `n`, with a hexadecimal digit that identifies the kind. */
  const id = (kind: string) =>
    isPostgres
      ? `('00000000-0000-7${kind}00-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
      : `printf('00000000-0000-7${kind}00-8000-%012x', n)`;
  const numbers = (count: number) =>
    isPostgres
      ? `generate_series(1, ${count}) as numbers (n)`
      : `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)`;
  const at = Date.now() - AGE_MS;
  const row = `"createdAt", "updatedAt"`;
  const person = `'${serverId(0)}'`;
  const now = Date.now();
  const nextYear = now + 365 * 24 * 60 * 60_000;
  /** Selects one of three values by `n`. */
  const third = (...[first, second, other]: string[]) =>
    `case n % 3 when 0 then ${first} when 1 then ${second} else ${other} end`;
  const json = (value: unknown) => `'${JSON.stringify(value)}'${isPostgres ? '::jsonb' : ''}`;
  const triggers = [
    { on: 'event', type: 'pin.created' },
    { on: 'schedule', cron: '0 0 29 2 *', timeZone: 'UTC' },
    { on: 'manual' },
  ];
  const numberOfServer = `(n % ${servers} + 1)`;
  const ofServer = (kind: string) => `(select ${id(kind)} from (select ${numberOfServer} as n) as one)`;
  return [
    `insert into "user" (id, ${row}, username, name, type, "platformAdmin")
      values (${person}, ${at}, ${at}, 'idler', 'Idler', 'person', false)`,
    `insert into server (id, ${row}, name, private, "creatorId", "memberCount")
      select ${id('0')}, ${at}, ${at}, 'server ' || n, true, ${person}, 1 from ${numbers(servers)}`,
    `insert into role (id, ${row}, "serverId", name, "isDefault", "isCreatorRole", "canAdmin", "canEditChannel",
      "canEditServer", "canEditData", "canModerate", "canEditApp", "canViewData")
      select ${id('1')}, ${at}, ${at}, ${id('0')}, 'all', true, false, false, false, false, false, false, false, true
      from ${numbers(servers)}`,
    `insert into event ("logId", seq, type, "actorId", at, data)
      select ${id('0')}, 1, 'server.updated', ${person}, ${at}, '{}' from ${numbers(servers)}`,
    `insert into webhook (id, ${row}, "serverId", direction, name, url, enabled, "roleId", "creatorId", earlier)
      select ${id('2')}, ${at}, ${at}, ${id('0')}, 'out', 'idle', 'https://example.com', true, ${id('1')}, ${person}, '[]'
      from ${numbers(webhooks)}`,
    `insert into "webhookState" (id, "serverId", cursor, seq, attempt, "ownedUntil")
      select ${id('2')}, ${id('0')}, '', 1, 0, 0 from ${numbers(webhooks)}`,
    `insert into flow (id, ${row}, "serverId", name, enabled, kind, "triggeredBy", trigger, steps, "creatorId", "makerId",
      "userId", "roleId", "waitsForEvents")
      select ${id('4')}, ${now}, ${now}, ${ofServer('0')}, 'idle', true, 'flow',
      ${third("'event'", "'schedule'", "'manual'")}, ${third(...triggers.map(json))}, ${json([])}, ${person}, ${person},
      ${person}, ${ofServer('1')}, true from ${numbers(flows)}`,
    `insert into "flowState" (id, "serverId", cursor, seq, "nextAt")
      select ${id('4')}, ${ofServer('0')}, '', 1, ${third('null', `${nextYear}`, 'null')} from ${numbers(flows)}`,
    `insert into timer (id, ${row}, "serverId", kind, "dueAt", attempts)
      select ${id('4')}, ${now}, ${now}, ${ofServer('0')}, 'flow', ${nextYear}, 0 from ${numbers(flows)} where n % 3 = 1`,
  ];
}
