/** A text and the selection in it. */
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
 * Toggles a mark such as `**` around the selection. Leading and trailing whitespace stays outside the
 * marks.
 */
export function wrap({ text, start, end }: Selected, mark: string): Replacing {
  const size = mark.length;
  const isMarked = (from: number, to: number) =>
    text.slice(from - size, from) === mark &&
    text.slice(to, to + size) === mark &&
    // A single star next to the selection may be half of a double star.
    (text[from - size - 1] !== mark[0] || text[to + size] !== mark[0]);
  const chosen = text.slice(start, end);
  if (isMarked(start, end))
    return { from: start - size, to: end + size, insert: chosen, start: start - size, end: end - size };
  const lead = chosen.length - chosen.trimStart().length;
  const from = chosen.trim() === '' ? start : start + lead;
  const to = chosen.trim() === '' ? end : start + chosen.trimEnd().length;
  return {
    from,
    to,
    insert: `${mark}${text.slice(from, to)}${mark}`,
    start: from + size,
    end: to + size,
  };
}

/** The message as it is sent: without leading blank lines and trailing whitespace. */
export const tidied = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();

/** The length of a text in code points, which is how the server counts. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length++;
  return length;
}
