import type { EventKind } from '../feed/eventKind.ts';
import type { Operation } from '../operations/perform.ts';

/** The groups of nouns in the OpenAPI documents, in reading order. */
export const groups = ['First steps', 'Conversations', 'Live', 'People', 'Servers', 'Apps'] as const;

/** A noun of the API, as the OpenAPI documents list it. */
export interface Noun {
  group: (typeof groups)[number];
  /** The noun's description in the OpenAPI documents. */
  purpose: string;
  operations: readonly Operation[];
  // biome-ignore lint/suspicious/noExplicitAny: events of all data are in one table
  events?: Readonly<Record<string, EventKind<any>>>;
}
