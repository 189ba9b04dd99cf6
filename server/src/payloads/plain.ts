import { bold } from './commonmark.ts';
import { firstOf, joined, type Loose, markupOf } from './loose.ts';

/** Whether a payload has a generic field, as sent by programs without their own format. */
export const isPlain = (payload: Loose): boolean =>
  [payload?.message, payload?.msg, payload?.title].some((value) => typeof value === 'string');

/**
 * Converts `{title, message}`, with `msg` or `text` as aliases for `message`. The message is CommonMark, and
 * the title is plain text.
 */
export const ofPlain = (payload: Loose): string =>
  joined(
    [bold(markupOf(firstOf(payload?.title))), firstOf(payload?.message, payload?.msg, payload?.text)],
    '\n\n',
  );
