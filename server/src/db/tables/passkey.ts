import type { Row, Table } from './facts.ts';

/** A passkey (WebAuthn): a public key. The person's device or password manager keeps the private key. */
interface PasskeyRow extends Row {
  userId: string;
  /** The id assigned by the authenticator, in base64url. */
  credential: string;
  /** The public key in COSE format, as base64url. */
  publicKey: string;
  /** The signature counter as last reported; 0 if the authenticator does not count. */
  counter: number;
  /** How browsers can reach the authenticator, such as `internal` and `usb`. */
  transports: readonly string[];
  /** The origin of the page that created the passkey. The passkey works only for that origin's host. */
  origin: string;
  /** The name that the person gave the passkey. */
  name: string;
  /** Whether the passkey can be copied to other devices. This never changes. */
  backupEligible: boolean;
  /** Whether the passkey was backed up when it was last used. */
  backedUp: boolean;
  lastUsedAt: number | null;
}

export const passkey: Table<PasskeyRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  json: ['transports'],
  // Permissions depend on passkeys, because a setting may require two-factor authentication or a passkey.
  decidesAuthority: { of: 'userId', by: ['userId'], byInsert: 'userId' },
  unique: { credential: 'this passkey is already registered' },
};
