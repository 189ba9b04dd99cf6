import { createHash } from 'node:crypto';
import { type TableName, tableNames } from '../schema.ts';
import { columnsOf, type Tell } from './copy.ts';
import type { Column, Row, Side, Target } from './side.ts';

/** The number and checksum of a table's rows on one side. */
interface Sum {
  rows: number;
  /** SHA-256 of all rows in key order, in hexadecimal. Equal rows have the same checksum on both engines. */
  checksum: string;
}

/** A table's row counts and checksums on both sides. */
export interface Comparison {
  table: TableName;
  source: Sum;
  target: Sum;
}

/**
 * Computes every table's count and checksum by reading all rows on both sides. Throws `StorageError` if
 * columns differ.
 */
export async function compareAll(source: Side, target: Target, tell: Tell): Promise<Comparison[]> {
  await target.hold();
  const found: Comparison[] = [];
  for (const table of tableNames) {
    const columns = await columnsOf(source, target, table);
    const [ours, theirs] = await Promise.all([
      sum(source, table, columns, tell),
      sum(target, table, columns, () => {}),
    ]);
    found.push({ table, source: ours, target: theirs });
  }
  return found;
}

/** Whether a table is identical on both sides. */
export const isSame = ({ source, target }: Comparison): boolean =>
  source.rows === target.rows && source.checksum === target.checksum;

async function sum(side: Side, table: TableName, columns: readonly Column[], tell: Tell): Promise<Sum> {
  const digest = createHash('sha256').update(`${JSON.stringify(columns.map(({ name }) => name))}\n`);
  const json = columns.flatMap(({ kind }, index) => (kind === 'json' ? [index] : []));
  let rows = 0;
  for await (const batch of side.rows(table, columns)) {
    digest.update(batch.map((row) => lineOf(row, json)).join(''));
    rows += batch.length;
    tell(table, rows);
  }
  return { rows, checksum: digest.digest('hex') };
}

/** Formats a row as one line. JSON values are normalized, because the engines format JSON differently. */
function lineOf(row: Row, json: readonly number[]): string {
  if (json.length === 0) return `${JSON.stringify(row)}\n`;
  const values = [...row];
  for (const index of json) {
    const text = values[index];
    if (typeof text === 'string' && text.length > 2) values[index] = canonical(JSON.parse(text));
  }
  return `${JSON.stringify(values)}\n`;
}

/** Formats JSON without whitespace, with each object's fields sorted by name. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.sort()}}`;
}
