import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDatabase } from '../../server/src/db/open.ts';
import type { RowOf } from '../../server/src/db/schema.ts';
import type { SqliteDb } from '../../server/src/db/sqlite/index.ts';
import { newDatabase } from './databases.ts';
import { q } from './sources.ts';

export const EPOCH = 'aaaaaaaaaaaa';

/** An event log in an embedded database without a server. */
export class EventLog {
  readonly id = randomUUID();
  readonly db: SqliteDb;

  constructor(db: SqliteDb) {
    this.db = db;
  }

  static async open(t: TestContext): Promise<EventLog> {
    const folder = mkdtempSync(join(tmpdir(), 'palaver-log-'));
    await newDatabase('migrated', folder);
    const db = await openDatabase({ file: join(folder, 'palaver.db') });
    t.after(async () => {
      await db.close();
      rmSync(folder, { recursive: true });
    });
    return new EventLog(db);
  }

  /** Adds events with these numbers to the log. */
  async add(seqs: readonly number[], more: Partial<RowOf<'event'>> = {}): Promise<void> {
    const rows = seqs.map((seq) => ({
      ...{ logId: this.id, seq, type: 'pin.created', epoch: EPOCH, at: seq, data: '{}' },
      ...{ actorId: null, actor: null, channelId: null, userId: null, lostBy: null, metaOf: null },
      ...more,
    }));
    for (let first = 0; first < rows.length; first += 500)
      await this.db.write((tx) => tx.run(q.insertInto('event').values(rows.slice(first, first + 500))));
  }

  /** Removes the events up to this number, as retention does. */
  async removeTo(seq: number): Promise<void> {
    await this.db.write((tx) =>
      tx.run(q.deleteFrom('event').where('logId', '=', this.id).where('seq', '<=', seq)),
    );
  }
}

/** The numbers from `first` to `last`. */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
