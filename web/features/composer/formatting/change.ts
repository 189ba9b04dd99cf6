import { isMarked, type Replacing, type Selected, wrap } from '../format.ts';
import { toggleBlock, toggleLines } from './lines.ts';

export type Format =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'link'
  | 'ordered'
  | 'bulleted'
  | 'quote'
  | 'code'
  | 'block';

const marks = { bold: '**', italic: '*', strike: '~~' } as const;

/** Returns the edit that toggles a format on the selection. */
export function changeFor(format: Format, selected: Selected): Replacing {
  const isLong = selected.text.slice(selected.start, selected.end).includes('\n');
  switch (format) {
    case 'link':
      return toggleLink(selected);
    case 'block':
      return toggleBlock(selected);
    case 'code':
      return isLong ? toggleBlock(selected) : toggleCode(selected);
    case 'ordered':
    case 'bulleted':
    case 'quote':
      return toggleLines(selected, format);
    default:
      return isLong ? wrapLines(selected, marks[format]) : wrap(selected, marks[format]);
  }
}

/** The prefix of a line: indentation, and the markers of lists, quotes and headings. */
const lead = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>|#{1,6})\s+)*/;

/** Toggles a mark around each line, because a mark ends with its paragraph or list item. */
function wrapLines(selected: Selected, mark: string): Replacing {
  const { text, start, end } = selected;
  const around = wrap(selected, mark);
  if (around.from < start) return around;
  const lines = text
    .slice(start, end)
    .split('\n')
    .map((line) => {
      const body = line.replace(lead, '').trimEnd();
      const from = line.indexOf(body, line.length - line.replace(lead, '').length);
      return { body, before: line.slice(0, from), after: line.slice(from + body.length) };
    });
  const isOn = lines.every(({ body }) => body === '' || isMarked(body, mark));
  const insert = lines
    .map(({ body, before, after }) => {
      const isDone = body === '' || (!isOn && isMarked(body, mark));
      const next = isDone ? body : isOn ? body.slice(mark.length, -mark.length) : mark + body + mark;
      return before + next + after;
    })
    .join('\n');
  return { from: start, to: end, insert, start, end: start + insert.length };
}

/** Toggles inline code. Code that contains backticks is wrapped in longer runs of backticks, which stay selected. */
function toggleCode(selected: Selected): Replacing {
  const { text, start, end } = selected;
  const chosen = text.slice(start, end);
  if (!chosen.includes('`') || isMarked(chosen.trim(), '`')) return wrap(selected, '`');
  const [, , code] = /^(`+) ?(.*?) ?\1$/.exec(chosen) ?? [];
  const ticks = '`'.repeat(longestRun(chosen) + 1);
  const insert = code ?? `${ticks} ${chosen} ${ticks}`;
  return { from: start, to: end, insert, start, end: start + insert.length };
}

/** The length of the longest run of backticks. */
const longestRun = (text: string): number =>
  Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));

/**
 * Toggles a link. In a new link, selects the address placeholder, or puts the caret into the empty label
 * if the selection is empty or an address.
 */
function toggleLink({ text, start, end }: Selected): Replacing {
  const chosen = text.slice(start, end);
  const whole = /^\[(.*)\]\([^\s()]*\)$/s.exec(chosen);
  if (whole) {
    const [, label = ''] = whole;
    return { from: start, to: end, insert: label, start, end: start + label.length };
  }
  const rest = /^\]\([^\s()]*\)/.exec(text.slice(end));
  if (rest && text[start - 1] === '[')
    return { from: start - 1, to: end + rest[0].length, insert: chosen, start: start - 1, end: end - 1 };
  if (/^(?:https?:\/\/|mailto:)\S+$/.test(chosen))
    return { from: start, to: end, insert: `[](${chosen})`, start: start + 1, end: start + 1 };
  const insert = `[${chosen}](url)`;
  const at = start + (chosen === '' ? 1 : insert.length - 4);
  return { from: start, to: end, insert, start: at, end: chosen === '' ? at : at + 3 };
}
