import type { Row, Table } from './facts.ts';

/** The types of history entries. */
export const historyTypes = [
  'signedUp',
  'signedIn',
  'signInFailed',
  'codeFailed',
  'proofFailed',
  'signInBlocked',
  'signedOut',
  'sessionRevoked',
  'sessionsRevoked',
  'grantAdded',
  'grantRevoked',
  'passwordChanged',
  'passwordRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'emailAdded',
  'emailRemoved',
  'secondFactorAdded',
  'secondFactorRemoved',
  'recoveryCodesCreated',
  'dataExported',
  'identityAdded',
  'identityRemoved',
  'suspended',
  'reinstated',
] as const;
export type HistoryType = (typeof historyTypes)[number];

/** The ways to sign in. */
export const signInMethods = ['password', 'passkey', 'provider', 'link', 'app'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** The actor of an entry. `unknown` is someone who was not signed in and failed to authenticate. */
export const historyActors = ['person', 'admin', 'operator', 'unknown'] as const;
type HistoryActor = (typeof historyActors)[number];

/** An entry in the history of a person's account. */
interface HistoryRow extends Row {
  userId: string;
  type: HistoryType;
  actor: HistoryActor;
  /** How the person signed in; null for other entries. */
  method: SignInMethod | null;
  /** The `User-Agent`, or the name of the app and its device; null if there is none. */
  device: string | null;
  /** The network of the client; null if unknown. */
  address: string | null;
  /** The number of attempts. Failures are counted per hour; for everything else, this is 1. */
  count: number;
}

export const history: Table<HistoryRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  keptFor: { ms: 90 * 24 * 60 * 60_000, since: 'createdAt' },
};
