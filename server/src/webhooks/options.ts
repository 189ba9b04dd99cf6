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
  /** The hosts that webhooks may be sent to. */
  allowedHosts: AllowedHosts;
  /** Converts a webhook to its record, as contained in its events. */
  toRecord(row: RowOf<'webhook'>): unknown;
  /** Metrics; may be omitted. */
  figures?: WebhookFigures;
  /** Replaces DNS in tests. */
  resolve?: Resolve;
  /** Maximum claimed webhooks. Tests lower it. */
  maxClaimed?: number;
  /** Schedules the polls. */
  pulse?: Pulse;
}
