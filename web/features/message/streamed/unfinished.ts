/** A fence at the start of a line, and the text after it. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const MARKS = ['**', '__', '~~', '||', '*', '_'] as const;
/** The first characters of marks, code spans and escapes. */
const SPECIAL = new Set('*_~|`\\');

/**
 * The text of a streaming message with its unfinished constructs completed or left out, so rendered text
 * does not change when the rest arrives.
 */
export function completed(text: string): string {
  const open = openFence(text);
  if (open) {
    const { fence, from } = open;
    const line = text.lastIndexOf('\n') + 1;
    // The last line may become the closing fence.
    const isMarks = line > from && /^ {0,3}(`+|~+)$/.test(text.slice(line));
    return `${isMarks ? text.slice(0, line - 1) : text}\n${fence}`;
  }
  const start = text.lastIndexOf('\n\n') + 1;
  return text.slice(0, start) + lastBlock(text.slice(start));
}

/** The fence of an unclosed code block, and the position of its line. */
function openFence(text: string): { fence: string; from: number } | undefined {
  let open: { fence: string; from: number } | undefined;
  let from = 0;
  for (const line of text.split('\n')) {
    const [, fence, rest = ''] = FENCE.exec(line) ?? [];
    if (fence && !open && !(fence.startsWith('`') && rest.includes('`'))) open = { fence, from };
    else if (fence && open && fence[0] === open.fence[0] && fence.length >= open.fence.length)
      if (rest.trim() === '') open = undefined;
    from += line.length + 1;
  }
  return open;
}

/** Completes emphasis and code spans in the last paragraph. Unfinished links are reduced to their text. */
function lastBlock(text: string): string {
  // A last line of only marks may become a heading, a quote, a list item, a fence, a rule or a table, so it is
  // left out.
  let rest = text.replace(/(^|\n)[ \t]*([-*_`~#>+|=]{1,3}|\d{1,9}[.)]?)[ \t]*$/, '$1');
  // Marks at the end may open a span, or be half of a longer mark. Missing closing marks are added below.
  rest = rest.replace(/(?<!\\)[*_~|`]+$/, '').replace(/(^|\s)!$/, '$1');
  rest = rest.replace(/!?\[[^\]\n]*$/, (link) => link.replace(/^!?\[/, ''));
  rest = rest.replace(/!?\[([^\]\n]*)\](\([^)\n]*)?$/, '$1');
  const open: string[] = [];
  for (let at = 0; at < rest.length; ) {
    if (!SPECIAL.has(rest[at] as string)) {
      at++;
      continue;
    }
    if (rest[at] === '\\') {
      at += 2;
      continue;
    }
    const [ticks] = /^`+/.exec(rest.slice(at, at + 20)) ?? [];
    if (ticks) {
      const end = rest.indexOf(ticks, at + ticks.length);
      if (end === -1) return ended(rest.slice(0, at), open, rest.slice(at + ticks.length), ticks);
      at = end + ticks.length;
      continue;
    }
    const mark = MARKS.find((one) => rest.startsWith(one, at));
    if (!mark) {
      at++;
      continue;
    }
    const known = open.lastIndexOf(mark);
    if (known >= 0) open.splice(known);
    else if (/\S/.test(rest[at + mark.length] ?? '') && !isInWord(rest, at, mark)) open.push(mark);
    else if (at + mark.length === rest.length) return ended(rest.slice(0, at), open);
    at += mark.length;
  }
  return ended(rest, open);
}

/** An underscore inside a word is not a mark, and a single asterisk rarely is. */
const isInWord = (text: string, at: number, mark: string): boolean =>
  (mark.startsWith('_') || mark === '*') && /\p{L}|\p{N}/u.test(text[at - 1] ?? '');

/** Closes the open marks, and the code span at the end of the text. */
function ended(text: string, open: readonly string[], code?: string, ticks = ''): string {
  const span = code?.trim() ? ticks + code + ticks : '';
  const marks = open.toReversed().join('');
  const trimmed = span === '' && marks !== '' ? text.trimEnd() : text;
  return trimmed + span + marks;
}
