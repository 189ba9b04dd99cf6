import { failingCounts, type QueueName } from '../../db/failures.ts';
import { attempt, type Finding } from './finding.ts';

/** The name of each queue in the output. */
const words: Readonly<Record<QueueName, string>> = {
  clock: 'scheduled messages and reminders',
  erasure: 'erasures of closed accounts',
  files: 'removals of files',
  mail: 'emails',
  retention: 'upkeep steps',
  search: 'messages to index for search',
  sweeps: 'removals of deleted records',
  webhooks: 'webhooks',
};

/**
 * Checks whether any queued items are failing. Failing webhooks alone are not a problem, because it is their
 * receivers that have to be fixed.
 */
export const examineQueues = (rows: Parameters<typeof failingCounts>[0]): Promise<Finding> =>
  attempt('queues', () => {
    const failing = Object.entries(failingCounts(rows)).filter(([, items]) => items > 0);
    if (failing.length === 0) return 'no queued item is failing';
    const list = failing.map(([queue, items]) => `${items} ${words[queue as QueueName]}`).join(', ');
    if (failing.every(([queue]) => queue === 'webhooks')) return `failing and retried: ${list}`;
    throw new Error(`failing and retried: ${list}. See the server's log`);
  });
