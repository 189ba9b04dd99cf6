import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { Feed } from '../feed/feed.ts';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import type { Deps } from '../lib/deps.ts';
import type { Pulse } from '../lib/pulse.ts';
import type { Seal } from '../lib/seal.ts';
import type { WebhookFigures } from './figures.ts';
import type { Resolve } from './guard.ts';

export interface WebhookOptions {
  db: Db;
  deps: Deps;
  feed: Feed;
  seal: Seal;
  /** The hosts to which webhooks may be sent. */
  allowedHosts: AllowedHosts;
  /** Converts a webhook to its record, as it appears in events. */
  toRecord(row: RowOf<'webhook'>): unknown;
  /** The metrics to update, if any. */
  figures?: WebhookFigures;
  /** Replaces DNS resolution in tests. */
  resolve?: Resolve;
  /** Maximum claimed webhooks. Tests lower it. */
  maxClaimed?: number;
  /** Schedules the polls. */
  pulse?: Pulse;
}
