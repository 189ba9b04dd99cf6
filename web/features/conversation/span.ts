import { indexIn } from '../../replica/line.ts';

/** The part of a line that stands in the page: from one message to another; null for the end of the line, whatever comes. */
export interface Span {
  readonly from: string;
  readonly to: string | null;
}

/** Messages in the page, about. As many as the best clients hold: find, selections and screen readers work as in any page. */
export const SIZE = 200;
/** Messages that are put in at once, before or after. */
export const STEP = 50;
/** The height of the least row, in px: a line of text of somebody who has just said something. */
const LEAST_ROW = 24;

const spanOf = (ids: readonly string[], first: number, end: number): Span => ({
  from: ids[Math.max(0, first)] ?? '',
  to: end >= ids.length ? null : (ids[end - 1] as string),
});

/** The ids in a span. */
export function idsIn(ids: readonly string[], { from, to }: Span): readonly string[] {
  const first = indexIn(ids, from);
  const end = to === null ? ids.length : indexIn(ids, to) + (ids[indexIn(ids, to)] === to ? 1 : 0);
  return ids.slice(first, end);
}

/** The latest messages, fewer than elsewhere: each message that comes moves all of them. */
export const latest = (ids: readonly string[]): Span => spanOf(ids, ids.length - STEP * 2, ids.length);

/** The messages around one, which may be deleted; some before it, and some from it on. */
export function around(ids: readonly string[], id: string, before = STEP, from = STEP): Span {
  const at = indexIn(ids, id);
  return spanOf(ids, at - before, at + from);
}

/** As many rows as fill so many px, whatever is in them. */
const filling = (height: number): number => Math.min(STEP, Math.ceil(Math.max(0, height) / LEAST_ROW) + 1);

/**
 * The first picture, which is drawn before the rows that follow at once: of a list that opens at a message, so many px from the top, or
 * at its end, no more rows than fill its height in px.
 */
export const opening = (
  ids: readonly string[],
  { id, distance }: { id: string | undefined; distance: number },
  height: number,
): Span =>
  id === undefined
    ? spanOf(ids, ids.length - filling(height), ids.length)
    : around(ids, id, filling(distance), filling(height - distance));

/** A span in a line that has become another one: it reaches no further, so that what joins the line later is not shown unasked. */
export function confined(ids: readonly string[], span: Span): Span {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return span;
  const from = span.from < first ? first : span.from;
  const to = span.to !== null && span.to > last ? last : span.to;
  return from === span.from && to === span.to ? span : { from, to };
}

/** With earlier messages, and without the latest of too many. */
export function upwards(ids: readonly string[], span: Span): Span {
  const first = Math.max(0, indexIn(ids, span.from) - STEP);
  const shown = idsIn(ids, span);
  const end = indexIn(ids, span.from) + shown.length;
  return spanOf(ids, first, Math.min(end, first + SIZE));
}

/** With later messages, and without the earliest of too many. */
export function downwards(ids: readonly string[], span: Span): Span {
  const first = indexIn(ids, span.from);
  const end = Math.min(ids.length, first + idsIn(ids, span).length + STEP);
  return spanOf(ids, Math.max(first, end - SIZE), end);
}

/**
 * A span that follows the end, after messages have come. Of too many, it lets go of the earliest where the end is in view; otherwise
 * it follows no longer: what comes out of view costs nothing, and is put in once the person gets there.
 */
export function followed(ids: readonly string[], span: Span, isAtEnd: boolean): Span {
  const first = indexIn(ids, span.from);
  if (isAtEnd) return ids.length - first <= STEP * 3 ? span : latest(ids);
  return ids.length - first <= SIZE + STEP ? span : { ...span, to: ids.at(-1) as string };
}
