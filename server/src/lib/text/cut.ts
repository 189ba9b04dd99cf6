import { parseMessage } from './message.ts';

const MARK = '||';

/**
 * Truncates a message to at most `max` characters. Closes a spoiler that would be left open, because clients
 * would otherwise show its text.
 */
export function beginningOf(content: string, max: number): string {
  const start = [...content].slice(0, max).join('');
  if (start.length === content.length || !start.includes(MARK)) return start;
  // The cut may split the mark, and a mark after whitespace would not close the spoiler.
  const bare = [...start]
    .slice(0, max - MARK.length)
    .join('')
    .replace(/\|?\s*$/, '');
  const closed = bare + MARK;
  return spoilersIn(parseMessage(closed)) > spoilersIn(parseMessage(bare)) ? closed : start;
}

function spoilersIn(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0;
  const own = (part as { type?: unknown }).type === 'spoiler' ? 1 : 0;
  return Object.values(part).reduce((sum: number, inner) => sum + spoilersIn(inner), own);
}
