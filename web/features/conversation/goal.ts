import { indexIn } from '../../replica/line.ts';
import type { Line } from '../../replica/types.ts';

/** A message to scroll to, once. A new object scrolls there again. */
export interface Aim {
  /** A permalink's message (highlighted), the first new one, a saved position, a date, or the end. */
  readonly kind: 'target' | 'new' | 'kept' | 'date' | 'end';
  /** The id of the message, or a position between ids. Empty for the end. */
  readonly id: string;
  /** In px from the top; undefined centres it. */
  readonly distance?: number | undefined;
}

export const END: Aim = { kind: 'end', id: '' };

/** True if the id is within the line, whether the message exists or not. */
export const covers = ({ ids, atStart, atEnd }: Line, id: string): boolean =>
  (atStart || (ids[0] !== undefined && ids[0] <= id)) && (atEnd || (ids.at(-1) ?? '') >= id);

/** True if the line contains the aim. */
export const reaches = (line: Line, { kind, id }: Aim): boolean =>
  kind === 'end' ? line.atEnd : covers(line, id);

/** The message an aim scrolls to in a line that covers it; undefined for the end. */
export function goalOf({ ids }: Line, { kind, id }: Aim): string | undefined {
  if (kind === 'end') return undefined;
  const at = indexIn(ids, id);
  return kind === 'new' && ids[at] === id ? ids[at + 1] : ids[at];
}

/** The smallest message id of a time in ms: ids start with their timestamp. */
export function idAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
