import { indexIn } from '../../replica/line.ts';
import type { Line } from '../../replica/types.ts';

/** A message to which a list goes, once. A new object goes there again. */
export interface Aim {
  /** By a permalink (it is marked), to what is new, to where the person was, to a date, or to the end. */
  readonly kind: 'target' | 'new' | 'kept' | 'date' | 'end';
  /** The message, or a place among messages. Empty for the end. */
  readonly id: string;
  /** Px from the top; the middle for none. */
  readonly distance?: number | undefined;
}

export const END: Aim = { kind: 'end', id: '' };

/** True if the line reaches over the message, whether it is there or not. */
export const covers = ({ ids, atStart, atEnd }: Line, id: string): boolean =>
  (atStart || (ids[0] !== undefined && ids[0] <= id)) && (atEnd || (ids.at(-1) ?? '') >= id);

/** True if the line has what the aim leads to. */
export const reaches = (line: Line, { kind, id }: Aim): boolean =>
  kind === 'end' ? line.atEnd : covers(line, id);

/** The message to which an aim leads in a line that covers it; undefined for the end. */
export function goalOf({ ids }: Line, { kind, id }: Aim): string | undefined {
  if (kind === 'end') return undefined;
  const at = indexIn(ids, id);
  return kind === 'new' && ids[at] === id ? ids[at + 1] : ids[at];
}

/** The smallest id of a message at a time in ms: ids begin with their time. */
export function idAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
