import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type DataConfig, databaseFile } from '../../server/src/node/data.ts';

/** A prepared statement; on PostgreSQL, with the values of its first use. */
export interface Prepared {
  sql: string;
  values: unknown[];
}

/** Tables that grow with use. A statement must neither read all rows of such a table nor sort its rows. */
const large = [
  'message',
  'messageVersion',
  'event',
  'notification',
  'channelReading',
  'threadReading',
  'serverReading',
  'serverMember',
  'user',
  'flow',
  'flowState',
  'flowRun',
  'flowStep',
  'flowWait',
  'timer',
];

/** Tables that also contain direct messages between other members, which a filter by server does not exclude. */
const withConversations = ['channel', 'channelMember'];

export interface Recording {
  statements(): Prepared[];
  /** Runs a task whose statements are not recorded. */
  without<T>(task: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Records every statement that this process prepares until `stop` is called. */
export function recordStatements(): Recording {
  const statements = new Map<string, Prepared>();
  let isPaused = false;
  const add = (sql: string, values: unknown[]) => {
    if (!isPaused && /^\s*(select|insert|update|delete|with)\b/i.test(sql) && !statements.has(sql))
      statements.set(sql, { sql, values });
  };
  const { prepare } = DatabaseSync.prototype;
  const { query } = pg.Client.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...options) {
    add(sql, []);
    return prepare.call(this, sql, ...options);
  };
  pg.Client.prototype.query = function (
    this: pg.Client,
    config: { text?: string; values?: unknown[] },
    ...rest: []
  ) {
    if (config?.text) add(config.text, config.values ?? []);
    return (query as (...given: unknown[]) => unknown).call(this, config, ...rest);
  } as never;
  return {
    statements: () => [...statements.values()],
    async without(task) {
      isPaused = true;
      const done = await task();
      isPaused = false;
      return done;
    },
    stop() {
      DatabaseSync.prototype.prepare = prepare;
      pg.Client.prototype.query = query;
    },
  };
}

/**
 * A problem with a statement's query plan, such as `scans message` or `sorts event`. `walks channel` means that it
 * reads all channels of a server, including direct messages.
 */
export type Fault = `${'scans' | 'sorts' | 'walks'} ${string}`;

interface Step {
  id: number;
  parent: number;
  detail: string;
}

/** Finds problems in SQLite's plan. */
function faultsOnSqlite(db: DatabaseSync, sql: string): Fault[] {
  const steps = db.prepare(`explain query plan ${sql}`).all() as unknown as Step[];
  const tableOf = tablesIn(sql);
  const faults = new Set<Fault>();
  // Subqueries may have the name of a table. The steps inside a subquery name the table that is read.
  const subqueries = new Set(
    steps.map(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1]),
  );
  for (const { detail } of steps) {
    const [, kind, name = '', index = '', columns] =
      /^(SCAN|SEARCH) (\S+)(?: USING (?:COVERING )?INDEX (\S+))?(?: \((.*)\))?/.exec(detail) ?? [];
    const table = tableOf(name, index);
    const isWhole = columns === 'serverId=?' || (kind === 'SCAN' && !(index === '' && subqueries.has(name)));
    if (withConversations.includes(table) && isWhole) faults.add(`walks ${table}`);
  }
  const reads = steps.flatMap(({ detail, parent }) => {
    const [, kind, name = '', index = ''] =
      /^(SCAN|SEARCH) (\S+)(?:.*USING (?:COVERING )?INDEX (\S+))?/.exec(detail) ?? [];
    const table = tableOf(name, index);
    return kind && large.includes(table) && !(index === '' && subqueries.has(name))
      ? [{ kind, table, parent }]
      : [];
  });
  for (const { kind, table } of reads) if (kind === 'SCAN') faults.add(`scans ${table}`);
  for (const { detail, parent } of steps) {
    if (!detail.startsWith('USE TEMP B-TREE')) continue;
    for (const read of reads) if (read.parent === parent) faults.add(`sorts ${read.table}`);
  }
  return [...faults];
}

/** Returns the table that a plan's name stands for, which may be an alias. */
function tablesIn(sql: string): (name: string, index: string) => string {
  const aliases = new Map<string, string>();
  for (const [, table = '', alias = ''] of sql.matchAll(
    /\b(?:from|join|update)\s+"?(\w+)"?\s+as\s+"?(\w+)"?/gi,
  ))
    aliases.set(alias, table);
  return (name, index) => /^sqlite_autoindex_(\w+)_\d+$/.exec(index)?.[1] ?? aliases.get(name) ?? name;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Finds problems in PostgreSQL's plan, which `explain (format json)` returned. */
function faultsOnPostgres(root: PlanNode): Fault[] {
  const faults = new Set<Fault>();
  const tablesOf = (node: PlanNode): string[] => [
    ...(node['Relation Name'] && large.includes(node['Relation Name']) ? [node['Relation Name']] : []),
    ...(node.Plans ?? []).flatMap(tablesOf),
  ];
  const visit = (node: PlanNode) => {
    const table = node['Relation Name'];
    if (node['Node Type'].endsWith('Seq Scan') && table && large.includes(table))
      faults.add(`scans ${table}`);
    if (node['Node Type'].endsWith('Sort')) for (const each of tablesOf(node)) faults.add(`sorts ${each}`);
    const condition = node['Index Cond'];
    const isWhole = condition === undefined || /^\("serverId" = \S+\)$/.test(condition);
    const isRead = node['Node Type'].endsWith('Scan');
    if (table && withConversations.includes(table) && isRead && isWhole) faults.add(`walks ${table}`);
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(root);
  return [...faults];
}

/** Explains statements in a database, with or without the planner's statistics. */
export async function faultsOf(
  { data, database }: DataConfig,
  statements: readonly Prepared[],
  hasStatistics: boolean,
): Promise<{ sql: string; fault: Fault }[]> {
  if (!database) {
    const db = new DatabaseSync(databaseFile(data));
    try {
      if (hasStatistics) db.exec('analyze');
      return statements.flatMap(({ sql }) => faultsOnSqlite(db, sql).map((fault) => ({ sql, fault })));
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query(ONLY_INDEXES);
    await client.query(hasStatistics ? 'analyze' : `delete from pg_statistic; ${FORGOTTEN_SIZES}`);
    const found: { sql: string; fault: Fault }[] = [];
    for (const { sql, values } of statements) {
      const { rows } = await client.query(`explain (format json) ${sql}`, values);
      for (const fault of faultsOnPostgres(rows[0]['QUERY PLAN'][0].Plan)) found.push({ sql, fault });
    }
    return found;
  } finally {
    await client.end();
  }
}

/**
 * PostgreSQL knows how large a table is, and rightly scans it or sorts some of its rows while it is small. So this
 * checks whether there is an index, in the order of the result, that a plan for a large table could use.
 */
const ONLY_INDEXES = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
  .map((kind) => `set enable_${kind} = off`)
  .join('; ');

/** The state before the first ANALYZE. */
const FORGOTTEN_SIZES = `update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'public'::regnamespace`;
