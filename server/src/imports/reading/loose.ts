import { ArchiveRefused, type ImportRow, type Kind } from '../row.ts';

/** Input that has not been validated. Functions that accept it must handle any value. */
// biome-ignore lint/suspicious/noExplicitAny: unchecked input
export type Loose = any;

/**
 * Matches the characters around references in rows (`row.ts`), and null characters. Texts must not contain
 * either.
 */
const FORBIDDEN = /[\u{f57a0}\u{f57a1}\0]/gu;

/** Converts a value to text that is valid in a row; empty for anything else. */
export const textOf = (value: Loose): string =>
  typeof value === 'string' ? value.replace(FORBIDDEN, '').toWellFormed() : '';

/** Returns the first text that is not blank; empty if there is none. */
export const firstTextOf = (...values: Loose[]): string =>
  values.map(textOf).find((text) => text.trim() !== '') ?? '';

export const listOf = (value: Loose): Loose[] => (Array.isArray(value) ? value : []);

/** Appends a value to the list of a key. */
export function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Converts an id in the source, which may be a number, to text. Empty for anything else. */
export const sourceIdOf = (value: Loose): string =>
  typeof value === 'string' ? value.slice(0, 200) : Number.isSafeInteger(value) ? String(value) : '';

/** Returns a number that is 0 or more; 0 for anything else. */
export const countOf = (value: Loose): number => (Number.isSafeInteger(value) && value > 0 ? value : 0);

/**
 * Converts a number or text, in units of `unit` milliseconds, to milliseconds since the Unix epoch. Throws
 * ArchiveRefused if it is not a time. The writer checks whether it is plausible.
 */
export function timeOf(value: Loose, unit = 1): number {
  const time = Math.floor((typeof value === 'string' && value.trim() !== '' ? Number(value) : value) * unit);
  if (typeof value === 'boolean' || value === null || !Number.isSafeInteger(time))
    throw new ArchiveRefused('A message in the archive has no valid time.');
  return time;
}

/** Like `timeOf`, for an optional time; 0 if it is missing. */
export function anyTimeOf(value: Loose, unit = 1): number {
  try {
    return Math.max(0, timeOf(value ?? 0, unit));
  } catch {
    return 0;
  }
}

/**
 * The reason in the report for lines such as “Ada joined the channel”, which no reader counts as messages.
 */
export const JOIN_LINE = 'only says that somebody joined or left';

/** The parts of a source message that are counted separately. */
export interface Attached {
  isReply?: boolean;
  /** The number of reactions to the message. */
  reactions?: number;
  files?: number;
  pins?: number;
}

/** Sums up losses for the report. */
export class Losses {
  readonly #counts = new Map<string, { kind: Kind; reason: string; isKept: boolean; count: number }>();

  /**
   * Adds a loss to the report. With `isKept`, it is only a note about content that is imported in another
   * form.
   */
  add(kind: Kind, reason: string, count = 1, isKept = false): void {
    const key = `${kind} ${isKept} ${reason}`;
    const found = this.#counts.get(key);
    if (found) found.count += count;
    else if (count > 0) this.#counts.set(key, { kind, reason, isKept, count });
  }

  /**
   * Counts a message that is not imported, and everything attached to it. With `isKept`, which is for entries
   * such as joins, it does not count as a message and is only mentioned in the report.
   */
  addMessage(
    reason: string,
    { isReply = false, reactions = 0, files = 0, pins = 0 }: Attached = {},
    isKept = false,
  ): void {
    this.add('messages', reason, 1, isKept);
    if (isReply) this.add('replies', reason, 1, isKept);
    for (const [kind, count] of Object.entries({ reactions, files, pins }) as [Kind, number][])
      this.add(kind, 'its message was not imported', count, isKept);
  }

  *rows(): Generator<ImportRow> {
    for (const { kind, reason, isKept, count } of this.#counts.values())
      yield { row: 'lost', kind, reason, count, ...(isKept ? { isKept } : {}) };
    this.#counts.clear();
  }
}
