import { indexIn } from '../../replica/line.ts';
import type { Line } from '../../replica/types.ts';

/** A scroll target, used once. A new object scrolls there again. */
export interface Aim {
  /**
   * The message in a permalink (highlighted), the first new message, a saved position, a date, or the end.
   */
  readonly kind: 'target' | 'new' | 'kept' | 'date' | 'end';
  /** The id of the message, or a position between ids. Empty if `kind` is `end`. */
  readonly id: string;
  /** The distance from the top in px. Undefined centres the message. */
  readonly distance?: number | undefined;
}

export const END: Aim = { kind: 'end', id: '' };

/** True if the id is within the line's range, whether or not the message exists. */
export const covers = ({ ids, atStart, atEnd }: Line, id: string): boolean =>
  (atStart || (ids[0] !== undefined && ids[0] <= id)) && (atEnd || (ids.at(-1) ?? '') >= id);

/** True if the line contains the scroll target. */
export const reaches = (line: Line, { kind, id }: Aim): boolean =>
  kind === 'end' ? line.atEnd : covers(line, id);

/** The message to scroll to for this target, in a line that covers it. Undefined if the target is the end. */
export function goalOf({ ids }: Line, { kind, id }: Aim): string | undefined {
  if (kind === 'end') return undefined;
  const at = indexIn(ids, id);
  return kind === 'new' && ids[at] === id ? ids[at + 1] : ids[at];
}

/** The smallest possible message id at a time in ms: ids start with their timestamp. */
export function idAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
