import type { Row, Table } from './facts.ts';

/** A passkey: a public key, whose private key a device or a password manager of the person keeps (WebAuthn). */
interface PasskeyRow extends Row {
  userId: string;
  /** The id that the authenticator gave it, in base64url. */
  credential: string;
  /** In COSE, in base64url. */
  publicKey: string;
  /** The count of its signatures, as it was last told; 0 where the authenticator does not count. */
  counter: number;
  /** The ways in which browsers reach the authenticator, such as `internal` and `usb`. */
  transports: readonly string[];
  /** The origin of the page on which it was made. It works for that host alone. */
  origin: string;
  /** The name that the person gave it. */
  name: string;
  /** True if it can be copied to other devices. This never changes. */
  backupEligible: boolean;
  /** True if it was, at its last use. */
  backedUp: boolean;
  lastUsedAt: number | null;
}

export const passkey: Table<PasskeyRow> = {
  key: ['id'],
  json: ['transports'],
  unique: { credential: 'this passkey is registered already' },
};
