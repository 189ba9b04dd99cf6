/** Text and the selection in it. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** An edit: the range to replace, and the selection afterwards. */
export interface Replacing {
  from: number;
  to: number;
  insert: string;
  start: number;
  end: number;
}

/**
 * Counts how often a mark's first character is repeated around the selection: at both the end of `before` and
 * the start of `after`.
 */
function runAround(before: string, after: string, mark: string): number {
  let run = 0;
  while (before.at(-1 - run) === mark[0] && after[run] === mark[0]) run++;
  return run;
}

/** Whether a run of characters contains a mark. Three stars mean italic (one) and bold (two). */
const isMark = (run: number, { length }: string): boolean => (length === 1 ? run % 2 === 1 : run >= length);

/** Whether the text begins and ends with the same mark. */
export function isMarked(text: string, mark: string): boolean {
  const run = runAround(text, text, mark);
  return isMark(run, mark) && 2 * run < text.length && !text.slice(run, -run).includes(mark);
}

/**
 * Toggles a mark such as `**` around the selection, which may include the marks. Leading and trailing whitespace
 * stays outside the marks. If nothing is selected and the caret is before a closing mark, moves the caret past
 * that mark.
 */
export function wrap({ text, start, end }: Selected, mark: string): Replacing {
  const size = mark.length;
  const chosen = text.slice(start, end);
  const [before, after] = [text.slice(0, start), text.slice(end)];
  if (isMark(runAround(before, after, mark), mark))
    return { from: start - size, to: end + size, insert: chosen, start: start - size, end: end - size };
  const core = chosen.trim();
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (chosen === '' && line.includes(mark) && isMark(runAround(mark.repeat(3), after, mark), mark))
    return { from: end, to: end, insert: '', start: end + size, end: end + size };
  const from = core === '' ? start : text.indexOf(core, start);
  const to = core === '' ? end : from + core.length;
  return isMarked(core, mark)
    ? { from, to, insert: core.slice(size, -size), start: from, end: to - 2 * size }
    : { from, to, insert: mark + text.slice(from, to) + mark, start: from + size, end: to + size };
}

/** The message as sent: without leading blank lines or trailing whitespace. */
export const tidied = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();

/** The length of the text in code points, which is how the server counts. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length++;
  return length;
}
