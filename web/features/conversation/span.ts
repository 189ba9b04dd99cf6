import { indexIn } from '../../replica/line.ts';

/**
 * The rendered part of a line, from one message to another. If the end is null, the span follows the end of
 * the line.
 */
export interface Span {
  readonly from: string;
  readonly to: string | null;
}

/**
 * The approximate number of rendered messages. Enough for find in page, selections and screen readers to
 * work as on any page.
 */
export const SIZE = 200;
/** The number of messages added at once, before or after. */
export const STEP = 50;
/** The minimum height of a row, in px: one line of text without an author. */
const LEAST_ROW = 24;

const spanOf = (ids: readonly string[], first: number, end: number): Span => ({
  from: ids[Math.max(0, first)] ?? '',
  to: end >= ids.length ? null : (ids[end - 1] as string),
});

export function idsIn(ids: readonly string[], { from, to }: Span): readonly string[] {
  const first = indexIn(ids, from);
  const end = to === null ? ids.length : indexIn(ids, to) + (ids[indexIn(ids, to)] === to ? 1 : 0);
  return ids.slice(first, end);
}

/** The latest messages. Fewer than elsewhere in the line, because each new message moves all of them. */
export const latest = (ids: readonly string[]): Span => spanOf(ids, ids.length - STEP * 2, ids.length);

/**
 * The messages around one that may have been deleted: `before` messages before it, and `from` messages
 * starting with it.
 */
export function around(ids: readonly string[], id: string, before = STEP, from = STEP): Span {
  const at = indexIn(ids, id);
  return spanOf(ids, at - before, at + from);
}

/** The number of rows that fill this height in px, even if each has the minimum height. */
const filling = (height: number): number => Math.min(STEP, Math.ceil(Math.max(0, height) / LEAST_ROW) + 1);

/**
 * The span of the first render: only the rows that fill the given height in px. The list opens with the message
 * `id` at `distance` px from the top, or at its end. The remaining rows are rendered afterwards.
 */
export const opening = (
  ids: readonly string[],
  { id, distance }: { id: string | undefined; distance: number },
  height: number,
): Span =>
  id === undefined
    ? spanOf(ids, ids.length - filling(height), ids.length)
    : around(ids, id, filling(distance), filling(height - distance));

/**
 * Confines a span to a line that replaced another one: it is not extended, so messages that are merged in
 * later do not appear automatically.
 */
export function confined(ids: readonly string[], span: Span): Span {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return span;
  const from = span.from < first ? first : span.from;
  const to = span.to !== null && span.to > last ? last : span.to;
  return from === span.from && to === span.to ? span : { from, to };
}

/** Adds earlier messages, and drops the latest beyond the limit. */
export function upwards(ids: readonly string[], span: Span): Span {
  const first = Math.max(0, indexIn(ids, span.from) - STEP);
  const shown = idsIn(ids, span);
  const end = indexIn(ids, span.from) + shown.length;
  return spanOf(ids, first, Math.min(end, first + SIZE));
}

/** Adds later messages, and drops the earliest beyond the limit. */
export function downwards(ids: readonly string[], span: Span): Span {
  const first = indexIn(ids, span.from);
  const end = Math.min(ids.length, first + idsIn(ids, span).length + STEP);
  return spanOf(ids, Math.max(first, end - SIZE), end);
}

/**
 * Updates a span that follows the end when new messages have arrived. Beyond 150 messages with the end in
 * view, it drops the earliest ones. Beyond 250 with the end out of view, it stops following: messages out of
 * view cost nothing, and are rendered on scroll.
 */
export function followed(ids: readonly string[], span: Span, isAtEnd: boolean): Span {
  const first = indexIn(ids, span.from);
  if (isAtEnd) return ids.length - first <= STEP * 3 ? span : latest(ids);
  return ids.length - first <= SIZE + STEP ? span : { ...span, to: ids.at(-1) as string };
}
