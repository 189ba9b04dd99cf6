/** A text with its selection. */
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

/** Toggles a mark such as `**` around the selection. Whitespace at the ends stays outside. */
export function wrap({ text, start, end }: Selected, mark: string): Replacing {
  const size = mark.length;
  const isMarked = (from: number, to: number) =>
    text.slice(from - size, from) === mark &&
    text.slice(to, to + size) === mark &&
    // A single star next to the selection may be half of a double one.
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

/** The message as sent: without leading blank lines and trailing whitespace. */
export const tidied = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();

/** The length of a text in code points, as the server counts. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length++;
  return length;
}
