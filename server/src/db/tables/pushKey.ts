import type { Row, Table } from './facts.ts';

/** The id of the single row, which the first use inserts. */
export const PUSH_KEY_ID = '00000000-0000-7000-8000-000000000002';

/** A singleton with the key that identifies all nodes to push services (VAPID, RFC 8292). */
interface PushKeyRow extends Row {
  /** The public key as an uncompressed point, in base64url. Browsers bind their subscriptions to it. */
  publicKey: string;
  /** The encrypted private key, in base64url. */
  sealed: string;
}

export const pushKey: Table<PushKeyRow> = { key: ['id'], sealed: 'sealed', isPermanent: true };
