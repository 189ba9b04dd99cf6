import { unescaped } from './escapes.ts';
import type { Line } from './line.ts';
import type { Draft, Marker, Outline } from './outline.ts';
import { columnsOf } from './tables.ts';

/** Maximum nesting of quotes and lists. Deeper ones are text. */
const MAX_DEPTH = 30;

/**
 * The construct that a line has started: a container, code to which the rest of the line belongs, or a block
 * that already contains the rest.
 */
export type Started = 'container' | 'code' | 'whole';

/** Starts the block that the rest of the line opens inside `container`. Undefined if it opens none. */
export function startBlock(outline: Outline, line: Line, container: Draft): Started | undefined {
  if (line.isIndented) return indentedCode(outline, line, container);
  switch (line.text[line.next]) {
    case '>':
      return quote(outline, line, container);
    case '#':
      return heading(outline, line, container);
    case '`':
    case '~':
      return fence(outline, line, container);
    default:
      return (
        underline(outline, line, container) ??
        table(outline, line, container) ??
        rule(outline, line, container) ??
        item(outline, line, container)
      );
  }
}

function indentedCode(outline: Outline, line: Line, container: Draft): Started | undefined {
  if (outline.tip.type === 'paragraph' || line.isBlank) return undefined;
  line.advance(4);
  outline.closeInside(container);
  outline.add('code');
  return 'code';
}

function quote(outline: Outline, line: Line, container: Draft): Started | undefined {
  if (container.depth >= MAX_DEPTH) return undefined;
  line.advanceToText();
  line.advance(1);
  if (line.isAtBlank) line.advance(1);
  outline.closeInside(container);
  outline.add('quote');
  return 'container';
}

function heading(outline: Outline, line: Line, container: Draft): Started | undefined {
  const match = /^#{1,6}(?=[ \t]|$)/.exec(line.text.slice(line.next, line.next + 8));
  if (!match) return undefined;
  const level = match[0].length;
  outline.closeInside(container);
  outline.add('heading', { level, lines: [withoutClosing(line.text.slice(line.next + level).trim())] });
  return 'whole';
}

/** Returns the text of a heading without trailing number signs. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  if (end === 0) return '';
  return text[end - 1] === ' ' || text[end - 1] === '\t' ? text.slice(0, end).trimEnd() : text;
}

function fence(outline: Outline, line: Line, container: Draft): Started | undefined {
  const match = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(line.text.slice(line.next));
  if (!match) return undefined;
  const mark = (match[1] ?? match[3]) as string;
  const info = unescaped((match[2] ?? match[4] ?? '').trim());
  outline.closeInside(container);
  outline.add('code', { fence: { mark, indent: line.indent, info } });
  return 'whole';
}

/** Turns the preceding paragraph into a heading if the line consists of `=` or `-`. */
function underline(outline: Outline, line: Line, container: Draft): Started | undefined {
  if (container.type !== 'paragraph') return undefined;
  const match = /^(?:=+|-+)[ \t]*$/.exec(line.text.slice(line.next));
  if (!match) return undefined;
  outline.define(container);
  if (container.lines.length === 0) return undefined;
  container.type = 'heading';
  container.level = match[0].startsWith('=') ? 1 : 2;
  return 'whole';
}

/** Starts a table at its delimiter row. The header row was the last line of a paragraph. */
function table(outline: Outline, line: Line, container: Draft): Started | undefined {
  const header = container.lines.at(-1);
  if (container.type !== 'paragraph' || header === undefined) return undefined;
  const aligns = columnsOf(header, line.text.slice(line.next));
  if (!aligns) return undefined;
  if (container.lines.length === 1) {
    container.type = 'table';
    container.aligns = aligns;
    return 'whole';
  }
  container.lines.pop();
  outline.closeInside(container.parent as Draft);
  outline.add('table', { aligns, lines: [header] });
  return 'whole';
}

function rule(outline: Outline, line: Line, container: Draft): Started | undefined {
  if (!/^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(line.text.slice(line.next)))
    return undefined;
  outline.closeInside(container);
  outline.add('rule');
  return 'whole';
}

function item(outline: Outline, line: Line, container: Draft): Started | undefined {
  const match = /^(?:([*+-])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(line.text.slice(line.next, line.next + 11));
  if (!match || container.depth >= MAX_DEPTH) return undefined;
  const [text, bullet, number, after] = match;
  // Only a non-empty item can interrupt a paragraph, and a numbered one only if it starts with 1.
  if (container.type === 'paragraph') {
    const isEmpty = line.text.slice(line.next + text.length).trim() === '';
    if (isEmpty || (number !== undefined && Number(number) !== 1)) return undefined;
  }
  const { indent } = line;
  line.advanceToText();
  line.advance(text.length);
  line.seek();
  // If there are more than four spaces, the item starts with indented code.
  const blanks = line.indent > 4 || line.isBlank ? 1 : line.indent;
  line.advance(blanks);
  const marker: Marker = {
    isOrdered: number !== undefined,
    start: Number(number ?? 1),
    mark: (bullet ?? after) as string,
    width: indent + text.length + blanks,
  };
  outline.closeInside(container);
  const { tip } = outline;
  if (tip.type !== 'list' || tip.marker?.mark !== marker.mark) outline.add('list', { marker });
  outline.add('item', { marker });
  return 'container';
}
