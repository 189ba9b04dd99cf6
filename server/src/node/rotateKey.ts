import { type Db, StorageError, type Tx } from '../db/contract.ts';
import { sealedColumns } from '../db/sealed.ts';
import { find, q } from '../db/statements.ts';
import { FIRST_ID } from '../lib/deps.ts';
import { createSeal, markOf, type Seal, type SealedCell, type SecretKeys } from '../lib/seal.ts';
import { newSecretKey, parseSecretKeys, secretKeysText } from '../lib/secretKeys.ts';
import { recordCommand } from '../resources/recordCommand.ts';
import { type DataConfig, openData } from './data.ts';
import { readKeys, writeKeys } from './secretKey.ts';

/** Number of rows to re-encrypt per write. */
const BATCH_ROWS = 100;
const NO_SCOPE = '';

type SealedTable = 'secret' | 'webhook' | 'secondFactor' | 'mail' | 'authenticationRequest';

/** The outcome of a rotation. */
export interface Rotated {
  /** The location of the secret key. */
  kept: 'secret.key' | 'database' | 'PALAVER_SECRET_KEY';
  /** The number of values that this run re-encrypted. */
  values: number;
}

/**
 * Storage for the secret keys. Keys are read and written within a transaction, so concurrent rotations are
 * serialized.
 */
interface Keyring {
  kept: Rotated['kept'];
  read(tx: Tx): Promise<SecretKeys>;
  /** Durably replaces all keys. Undefined if the operator manages the keys. */
  write?(tx: Tx, keys: SecretKeys): Promise<void>;
}

/**
 * Rotates the secret key and re-encrypts all values. Keeps the old key until no value needs it, so the next
 * call can resume an interrupted rotation without losing data. Keys from the environment belong to the
 * operator: they stay unchanged, and everything is re-encrypted with the first one. Throws StorageError.
 */
export async function rotateSecretKey(
  config: DataConfig,
  tell: (step: string) => void = () => {},
): Promise<Rotated> {
  const { db, deps } = await openData(config, undefined, { existing: true });
  try {
    const ring = await keyringOf(config, db);
    const keys = await db.write((tx) => begin(ring, tx));
    const values = await reencrypt(db, keys, tell);
    await db.write(async (tx) => {
      await recordCommand(tx, deps, 'secret rotate', { kept: ring.kept, values });
      await end(ring, tx, keys[0]);
    });
    return { kept: ring.kept, values };
  } finally {
    await db.close();
  }
}

/**
 * Adds a new key in front of the current one, unless an unfinished rotation already did or the operator
 * manages the keys. Returns all keys.
 */
async function begin(ring: Keyring, tx: Tx): Promise<SecretKeys> {
  const keys = await ring.read(tx);
  if (!ring.write || keys.length > 1) return keys;
  const both: SecretKeys = [newSecretKey(), ...keys];
  await ring.write(tx, both);
  return both;
}

/** Drops all keys except the new one, unless another rotation has started since. */
async function end(ring: Keyring, tx: Tx, key: Uint8Array): Promise<void> {
  const [first] = await ring.read(tx);
  if (markOf(first) === markOf(key)) await ring.write?.(tx, [key]);
}

async function keyringOf({ data, database, secretKey }: DataConfig, db: Db): Promise<Keyring> {
  if (secretKey)
    return { kept: 'PALAVER_SECRET_KEY', read: async () => parseSecretKeys(secretKey) as SecretKeys };
  if (!database) {
    return {
      kept: 'secret.key',
      read: async () => readKeys(data),
      // Processes that use the folder reread the file before they encrypt (see `followFile`).
      write: async (_tx, keys) => writeKeys(data, keys, true),
    };
  }
  await db.join(false).catch(() => {
    throw new StorageError(
      'a node is using this database: stop all nodes to rotate the key stored in it, or set PALAVER_SECRET_KEY, which you can rotate node by node',
    );
  });
  return {
    kept: 'database',
    async read(tx) {
      const stored = await tx.first(find('setting', { name: 'secretKey' }));
      return parseSecretKeys(stored?.value ?? '') as SecretKeys;
    },
    write: (tx, keys) =>
      tx.run(
        q
          .updateTable('setting')
          .set({ value: secretKeysText(keys) })
          .where('name', '=', 'secretKey'),
      ),
  };
}

/**
 * The result of one page: how many values were re-encrypted, and the key of the last row if there may be
 * more.
 */
interface Page {
  values: number;
  next: string | undefined;
}

async function reencrypt(db: Db, keys: SecretKeys, tell: (step: string) => void): Promise<number> {
  const reencrypted = new Reencrypted(keys);
  let values = 0;
  const all = async (page: (tx: Tx, after: string) => Promise<Page>, first: string) => {
    for (let after: string | undefined = first; after !== undefined; ) {
      const from: string = after;
      const done = await db.write((tx) => page(tx, from));
      values += done.values;
      after = done.next;
      tell(`re-encrypting: ${values} values`);
    }
  };
  for (const { table, column } of sealedColumns as { table: SealedTable; column: 'sealed' }[])
    await all((tx, after) => reencrypted.page(tx, table, column, after), FIRST_ID);
  await all((tx, after) => reencrypted.answers(tx, after), NO_SCOPE);
  return values;
}

/**
 * Re-encrypts values with the first key, page by page. Skips values that other writes change after they were
 * read.
 */
class Reencrypted {
  readonly #seal: Seal;
  readonly #mark: string;

  constructor(keys: SecretKeys) {
    this.#seal = createSeal(() => keys);
    this.#mark = markOf(keys[0]);
  }

  async page(tx: Tx, table: SealedTable, column: 'sealed', after: string): Promise<Page> {
    const rows = await tx.all(
      q
        .selectFrom(table)
        .selectAll()
        .where('id', '>', after)
        .where(column, 'is not', null)
        .orderBy('id')
        .limit(BATCH_ROWS),
    );
    let values = 0;
    for (const row of rows) {
      const former = row[column] as string;
      const set = {
        [column]: this.#reseal(former, { table, column, id: row.id }),
        ...('earlier' in row && { earlier: this.#earlierOf(row) }),
      };
      const isSame = set[column] === former && (!('earlier' in row) || set.earlier === row.earlier);
      if (isSame) continue;
      values += await tx.count(
        q.updateTable(table).set(set).where('id', '=', row.id).where(column, '=', former),
      );
    }
    return { values, next: nextOf(rows, 'id') };
  }

  /** Re-encrypts stored responses. Those without a secret are plain JSON, which starts with a brace. */
  async answers(tx: Tx, after: string): Promise<Page> {
    const rows = await tx.all(
      q
        .selectFrom('idempotency')
        .select(['scope', 'answer'])
        .where('scope', '>', after)
        .where('answer', 'not like', '{%')
        .orderBy('scope')
        .limit(BATCH_ROWS),
    );
    let values = 0;
    for (const { scope, answer } of rows) {
      const resealed = this.#reseal(answer, { table: 'idempotency', column: 'answer', id: scope });
      if (resealed === answer) continue;
      values += await tx.count(
        q
          .updateTable('idempotency')
          .set({ answer: resealed })
          .where('scope', '=', scope)
          .where('answer', '=', answer),
      );
    }
    return { values, next: nextOf(rows, 'scope') };
  }

  /** Re-encrypts a webhook's previous secrets. Returns the same list if none had to change. */
  #earlierOf({ id, earlier }: { id: string; earlier: readonly { sealed: string; until: number }[] }) {
    const place = { table: 'webhook', column: 'earlier', id };
    const resealed = earlier.map((one) => ({ ...one, sealed: this.#reseal(one.sealed, place) }));
    return resealed.every(({ sealed }, index) => sealed === earlier[index]?.sealed) ? earlier : resealed;
  }

  #reseal(sealed: string, place: SealedCell): string {
    if (sealed.startsWith(this.#mark)) return sealed;
    try {
      return this.#seal.seal(this.#seal.open(sealed, place), place);
    } catch {
      const { table, column, id } = place;
      throw new StorageError(
        `${column} of ${table} ${id} cannot be decrypted because it was altered or moved. Remove it, then rotate again. Until then, both keys are kept`,
      );
    }
  }
}

const nextOf = <R extends object>(rows: readonly R[], key: keyof R): string | undefined =>
  rows.length < BATCH_ROWS ? undefined : String(rows.at(-1)?.[key]);
