import { createECDH, createPrivateKey } from 'node:crypto';
import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import { PUSH_KEY_ID } from '../db/tables/pushKey.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import { late } from '../lib/late.ts';
import type { Seal } from '../lib/seal.ts';
import type { PushKey } from '../lib/webPush/authorization.ts';

const CELL = { table: 'pushKey', column: 'sealed', id: PUSH_KEY_ID };

/** The dependencies needed to store the key. */
interface KeyData {
  db: Pick<Db, 'read' | 'write'>;
  deps: Deps;
  seal: Seal;
}

/** Returns a function that loads the key, and creates it on first use. All nodes get the same key. */
export const pushKeyOf = (data: KeyData): (() => Promise<PushKey>) =>
  late(async () => opened(data.seal, (await stored(data)) ?? (await created(data))));

const stored = ({ db }: KeyData): Promise<RowOf<'pushKey'> | undefined> =>
  db.read.first(find('pushKey', { id: PUSH_KEY_ID }));

async function created(data: KeyData): Promise<RowOf<'pushKey'>> {
  const { db, deps, seal } = data;
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // The private key is a number. Padding restores its leading zeros, which `getPrivateKey` omits.
  const secret = pair.getPrivateKey('hex').padStart(64, '0');
  const sealed = seal.seal(Buffer.from(secret, 'hex').toString('base64url'), CELL);
  await db.write(async (tx) => {
    // Another node may have created it in the meantime.
    if (await tx.first(find('pushKey', { id: PUSH_KEY_ID }))) return;
    await tx.run(
      q
        .insertInto('pushKey')
        .values({ ...newRow(deps, tx.time()), id: PUSH_KEY_ID, publicKey, sealed })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
  });
  return (await stored(data)) as RowOf<'pushKey'>;
}

function opened(seal: Seal, { publicKey, sealed }: RowOf<'pushKey'>): PushKey {
  const point = Buffer.from(publicKey, 'base64url');
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: seal.open(sealed, CELL),
    },
  });
  return { publicKey, privateKey };
}
