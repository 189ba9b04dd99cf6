import type { Field } from './tool.ts';

/** Ids need no description, because their names state the kind of record, and every output contains ids. */
export const id: Field = { type: 'string' };
export const text = (description?: string): Field => ({
  type: 'string',
  ...(description !== undefined && { description }),
});
export const integer = (minimum: number, maximum: number, description: string): Field => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});

export const content = text('Markdown. @username mentions');
/** The idempotency key. A repeated call with the same key has no further effect. */
export const requestKey = text('A new random string for each message. Reuse it only to retry');
