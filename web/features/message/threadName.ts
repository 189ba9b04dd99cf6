import { firstLine } from '../../../server/src/lib/text/index.ts';

/** Maximum length of a thread name derived from a message, because lists show little more. */
const MOST = 60;

/**
 * The default name of a thread: the first line of its message, without Markdown. Empty if the message has
 * no text.
 */
export function nameFor(content: string): string {
  const text = firstLine(content);
  const letters = [...text];
  if (letters.length <= MOST) return text;
  const cut = letters.slice(0, MOST - 1).join('');
  // Cuts at the last space, if it is in the second half.
  const space = cut.lastIndexOf(' ');
  return `${space > MOST / 2 ? cut.slice(0, space) : cut}…`;
}
