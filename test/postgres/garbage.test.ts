import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { fixed } from '../../server/src/db/postgres/compile.ts';
import { PostgresConnection } from '../../server/src/db/postgres/connection.ts';
import { newDatabase } from '../support/databases.ts';
import { isMeasured, measured, report } from '../support/measured.ts';

const READS = 300;
const ROWS = 500;

/** Bytes in the old generation, which V8 rarely collects. */
const old = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size as number;

/** The megabytes by which many reads make the old generation grow if it is not collected in the meantime. */
async function growthBy(url: string): Promise<number> {
  const connection = await PostgresConnection.open(url);
  try {
    const many = fixed(
      `select n::text as one, md5(n::text) as other from generate_series(1, ${ROWS}) as numbers(n)`,
    );
    const read = async () => assert.equal((await connection.query(many)).rows.length, ROWS);
    for (let number = 0; number < READS / 10; number++) await read();
    const before = old();
    let most = before;
    for (let number = 0; number < READS; number++) {
      await read();
      most = Math.max(most, old());
    }
    return (most - before) / 2 ** 20;
  } finally {
    await connection.close();
  }
}

if (isMeasured) report(await growthBy(process.argv[2] as string));
else
  test('the rows of a read are collected early: they do not wait for a full garbage collection', async () => {
    const database = await newDatabase('empty');
    try {
      const grown = await measured(import.meta.filename, database.url);
      assert.ok(grown < 4, `the old generation grew by ${grown.toFixed(1)} MB`);
    } finally {
      await database.drop();
    }
  });
