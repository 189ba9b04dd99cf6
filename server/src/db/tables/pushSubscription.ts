import type { Row, Table } from './facts.ts';

/** A browser that receives a person's notifications while no page is open (Web Push). */
interface PushSubscriptionRow extends Row {
  userId: string;
  /** The session that subscribed. The subscription ends with it. */
  sessionId: string;
  /** SHA-256 of the endpoint, in hexadecimal. */
  digest: string;
  /** The encrypted endpoint and keys, as JSON. */
  sealed: string;
  /** The language of the browser's notifications (BCP 47). */
  language: string;
  /**
   * Whether the browser accepts pushes that do not show a notification, such as one that closes a
   * notification.
   */
  maySilence: boolean;
  /** The number of such pushes since the browser last subscribed. Browsers accept only a few. */
  silenced: number;
}

export const pushSubscription: Table<PushSubscriptionRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  sealed: 'sealed',
  goesWith: { sessionId: { table: 'session', by: 'foreignKey' } },
  neverTaken: { digest: 'sending the same endpoint again replaces its subscription' },
};
