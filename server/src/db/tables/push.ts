import type { Table } from './facts.ts';

const reason = 'the row is deleted once the push is sent or no longer wanted, and after a day at the latest';

/**
 * A push to be sent to a device. There is at most one per device and channel, for the channel's latest
 * message.
 */
interface PushRow {
  pushSubscriptionId: string;
  channelId: string;
  serverId: string;
  /** The latest message that notifies the person. */
  messageId: string;
  /** When that message was queued. */
  createdAt: number;
  /**
   * Whether the device shows a notification for the message. The row is then kept until the message is read
   * elsewhere, to close the notification.
   */
  isShown: boolean;
  /** The number of attempts to send the push, or to check whether the message was read. */
  attempts: number;
  dueAt: number;
}

export const push: Table<PushRow> = {
  key: ['pushSubscriptionId', 'channelId'],
  goesWith: { pushSubscriptionId: { table: 'pushSubscription', by: 'foreignKey' } },
  outlives: { channelId: reason, serverId: reason, messageId: reason },
};
