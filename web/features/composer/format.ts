/** A text with the stretch of it that is selected. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** What is put in place of a stretch of a text, and what is selected then. */
export interface Replacing {
  from: number;
  to: number;
  insert: string;
  start: number;
  end: number;
}

/** Puts a mark such as `**` around what is selected; takes it away if it is there. Blanks at the ends stay outside of it. */
export function wrap({ text, start, end }: Selected, mark: string): Replacing {
  const size = mark.length;
  const isMarked = (from: number, to: number) =>
    text.slice(from - size, from) === mark &&
    text.slice(to, to + size) === mark &&
    // One star beside the selection may be half of two.
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

/** The message as it is sent: without blank lines before it and blanks after it. */
export const tidied = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();

/** The characters of a text, as the server counts them. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length++;
  return length;
}
