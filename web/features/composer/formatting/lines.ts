import type { Replacing, Selected } from '../format.ts';

/** The prefixes of line formats. */
const markers = {
  bulleted: /^(\s*)[-*+] /,
  ordered: /^(\s*)\d{1,9}[.)] /,
  quote: /^() {0,3}> ?/,
} as const;
type LineFormat = keyof typeof markers;

const listMarker = /^(\s*)(?:[-*+]|\d{1,9}[.)]) /;
/** Lines that start a new block, so they do not continue the block above. */
const opening = /^\s*(?:$|[-*+] |\d{1,9}[.)] |>|#{1,6} |```|~~~)/;

/** The whole lines of the selection. A line break at its end does not select the line below. */
function linesAt({ text, start, end }: Selected): { from: number; to: number; lines: string[] } {
  const from = text.slice(0, start).lastIndexOf('\n') + 1;
  const stop = text.indexOf('\n', end > start && text[end - 1] === '\n' ? end - 1 : end);
  const to = stop < 0 ? text.length : stop;
  return { from, to, lines: text.slice(from, to).split('\n') };
}

/** Turns the selected lines into a list or quote, or back into plain lines. */
export function toggleLines(selected: Selected, format: LineFormat): Replacing {
  const { text, start, end } = selected;
  const { from, to, lines } = linesAt(selected);
  const marker = markers[format];
  const filled = lines.filter((line) => line.trim() !== '');
  const isOn = filled.length > 0 && filled.every((line) => marker.test(line));
  let number = 0;
  const changed = lines.map((line) => {
    if (isOn) return line.replace(marker, '$1');
    if (format === 'quote') return `> ${line}`.trimEnd() + (lines.length === 1 && line === '' ? ' ' : '');
    if (line.trim() === '' && lines.length > 1) return line;
    number++;
    const bare = line.replace(listMarker, '$1');
    const indent = bare.length - bare.trimStart().length;
    return `${bare.slice(0, indent)}${format === 'bulleted' ? '-' : `${number}.`} ${bare.slice(indent)}`;
  });
  // Without an empty line, Markdown reads a line of text as part of the list or quote above it.
  const above = text.slice(0, from).split('\n').at(-2) ?? '';
  const below = text.slice(to + 1).split('\n')[0] ?? '';
  const before = isOn && marker.test(above) && !opening.test(changed[0] ?? '') ? '\n' : '';
  const after = isOn || opening.test(below) ? '' : '\n';
  const body = changed.join('\n');
  const first = from + before.length;
  const isOne = lines.length === 1;
  const shift = before.length + body.length - (to - from);
  return {
    from,
    to,
    insert: before + body + after,
    start: isOne ? Math.max(first, start + shift) : first,
    end: isOne ? Math.max(first, Math.min(end, to) + shift) : first + body.length,
  };
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The first and last line of the fenced code block around some lines; `last` is undefined if the fence is not
 * closed.
 */
function blockAround(
  lines: readonly string[],
  from: number,
  to: number,
): [first: number, last?: number] | undefined {
  let open: { fence: string; at: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const fence = fenceLine.exec(line)?.[1];
    if (fence === undefined) continue;
    if (!open) {
      if (at > from) return undefined;
      open = { fence, at };
    } else if (fence.startsWith(open.fence) && line.trim() === fence) {
      if (at >= to && open.at <= from) return [open.at, at];
      open = undefined;
    }
  }
  return open && open.at <= from ? [open.at] : undefined;
}

/** Wraps the selected lines in a fenced code block, or removes the fences around them. */
export function toggleBlock(selected: Selected): Replacing {
  const { text, start, end } = selected;
  const { from, to, lines } = linesAt(selected);
  const all = text.split('\n');
  const top = text.slice(0, from).split('\n').length - 1;
  const around = blockAround(all, top, top + lines.length - 1);
  if (around) {
    const [first, last = all.length] = around;
    const begin = lengthOf(all.slice(0, first));
    const inside = all.slice(first + 1, last).join('\n');
    const finish = Math.min(text.length, lengthOf(all.slice(0, last + 1)) - 1);
    const opened = (all[first] as string).length + 1;
    const at = (place: number) => Math.min(Math.max(begin, place - opened), begin + inside.length);
    return { from: begin, to: finish, insert: inside, start: at(start), end: at(end) };
  }
  const body = text.slice(from, to);
  const fence = '`'.repeat(Math.max(2, ...Array.from(body.matchAll(/`+/g), ([run]) => run.length)) + 1);
  const shift = fence.length + 1;
  return {
    from,
    to,
    insert: `${fence}\n${body}\n${fence}`,
    start: start + shift,
    end: Math.min(end, to) + shift,
  };
}

const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((length, line) => length + line.length + 1, 0);
