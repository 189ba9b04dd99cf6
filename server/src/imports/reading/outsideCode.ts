/** Matches a code fence at the start of a line, or a run of backticks. */
const CODE = /^[ \t]{0,3}(?:>[ \t]?)*(`{3,}|~{3,})[^\n]*$|`+/gm;

/** Converts a Markdown text outside code blocks and spans, which stay unchanged. Takes linear time. */
export function outsideCode(text: string, convert: (part: string) => string): string {
  const marks = [...text.matchAll(CODE)].map((match) => ({
    fence: match[1],
    run: match[1] ?? match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  if (marks.length === 0) return convert(text);
  const closing = closingMarks(marks, text);
  const parts: string[] = [];
  let done = 0;
  for (let index = 0; index < marks.length; index++) {
    const { fence, start } = marks[index] as (typeof marks)[number];
    const close = closing[index];
    if (close === undefined && fence === undefined) continue;
    const end = close === undefined ? text.length : (marks[close]?.end ?? text.length);
    parts.push(convert(text.slice(done, start)), text.slice(start, end));
    done = end;
    index = close ?? marks.length;
  }
  parts.push(convert(text.slice(done)));
  return parts.join('');
}

interface Mark {
  fence: string | undefined;
  run: string;
  end: number;
  start: number;
}

/**
 * Returns, for each mark, the index of the mark that closes it: a fence without an info string that is at
 * least as long, or a run of the same length. Computes the indexes from the end, so each one takes a single
 * lookup.
 */
function closingMarks(marks: readonly Mark[], text: string): (number | undefined)[] {
  const nextRun = new Map<string, number>();
  const closing: (number | undefined)[] = [];
  for (let index = marks.length - 1; index >= 0; index--) {
    const { fence, run, start, end } = marks[index] as Mark;
    closing[index] = fence === undefined ? nextRun.get(run) : nextFence(nextRun, fence);
    if (fence === undefined) nextRun.set(run, index);
    else if (text.slice(start, end).trimEnd().endsWith(fence)) {
      for (let length = 3; length <= Math.min(fence.length, MAX_FENCE); length++)
        nextRun.set(`fence${fence[0]}${length}`, index);
    }
  }
  return closing;
}

const MAX_FENCE = 32;
const nextFence = (next: ReadonlyMap<string, number>, fence: string): number | undefined =>
  next.get(`fence${fence[0]}${Math.min(fence.length, MAX_FENCE)}`);
