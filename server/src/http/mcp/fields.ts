import type { Field } from './tool.ts';

/** An id needs no description: its name states the kind of record, and every output names ids. */
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
/** Idempotency key: a repeated call has no further effect. */
export const requestKey = text('New random text per message; repeat it only to retry');
