import { bold } from './commonmark.ts';
import { firstOf, joined, type Loose } from './loose.ts';

/** True if a payload has one of the fields that programs without a format of their own send. */
export const isPlain = (payload: Loose): boolean =>
  [payload?.message, payload?.msg, payload?.title].some((value) => typeof value === 'string');

/** `{title, message}`, with `msg` or `text` for `message`. The message is CommonMark as it is; the title is not. */
export const ofPlain = (payload: Loose): string =>
  joined([bold(firstOf(payload?.title)), firstOf(payload?.message, payload?.msg, payload?.text)], '\n\n');
