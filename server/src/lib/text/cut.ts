import { parseMessage } from './message.ts';

const MARK = '||';

/**
 * The beginning of a longer message: its first characters, at most `max`. A spoiler that the cut leaves open is
 * closed, because a client would otherwise show its text.
 */
export function beginningOf(content: string, max: number): string {
  const start = [...content].slice(0, max).join('');
  if (start.length === content.length || !start.includes(MARK)) return start;
  // The cut may split the mark, and a blank before it would keep it from closing anything.
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
