import { Line } from './line.ts';
import { type Draft, Outline } from './outline.ts';
import { startBlock } from './starts.ts';

/**
 * Parses the blocks of a message, as described in the appendix of the CommonMark specification: each line
 * continues open blocks, may start new ones, and adds the rest of its text to the innermost block.
 */
export function outlineOf(text: string): Outline {
  const outline = new Outline();
  for (const line of text.replace(/(?:\r\n?|\n)$/, '').split(/\r\n|\n|\r/)) {
    outline.lineNumber += 1;
    readLine(outline, new Line(line));
  }
  outline.closeInside(outline.root);
  return outline;
}

function readLine(outline: Outline, line: Line): void {
  const matched = continued(outline, line);
  if (matched === undefined) return;
  const isNested = matched !== outline.tip;
  let container = matched;
  let takesRest = matched.type === 'code';
  while (!takesRest) {
    line.seek();
    const started = startBlock(outline, line, container);
    if (started === undefined) break;
    container = outline.tip;
    if (started === 'whole') {
      noteBlank(outline, container, false);
      return;
    }
    takesRest = started === 'code';
  }
  if (!takesRest) line.advanceToText();
  // Lazy continuation: a line may continue a paragraph without repeating the markers of the enclosing quotes
  // and items.
  if (isNested && container === matched && !line.isBlank && outline.tip.type === 'paragraph') {
    outline.tip.lines.push(line.rest());
    return;
  }
  outline.closeInside(container);
  const last = container.children.at(-1);
  if (line.isBlank && last) last.endsBlank = true;
  noteBlank(outline, container, line.isBlank);
  if (container.type === 'code' || container.type === 'table' || container.type === 'paragraph')
    container.lines.push(line.rest());
  else if (!line.isBlank) outline.add('paragraph').lines.push(line.rest());
}

/** Returns the innermost open block that the line continues. Undefined if the line closed a fence. */
function continued(outline: Outline, line: Line): Draft | undefined {
  let container = outline.root;
  for (let next = container.children.at(-1); next?.isOpen; next = container.children.at(-1)) {
    line.seek();
    if (next.fence && !line.isIndented && isClosing(line, next.fence.mark)) {
      next.fence.isClosed = true;
      outline.closeInside(next);
      outline.end();
      return undefined;
    }
    if (!continues(next, line)) break;
    container = next;
  }
  return container;
}

/** Whether the line continues an open block. If so, advances past the block's marker or indentation. */
function continues(block: Draft, line: Line): boolean {
  switch (block.type) {
    case 'list':
      return true;
    case 'quote':
      if (line.isIndented || line.text[line.next] !== '>') return false;
      line.advanceToText();
      line.advance(1);
      if (line.isAtBlank) line.advance(1);
      return true;
    case 'item':
      if (line.isBlank) {
        line.advanceToText();
        return block.children.length > 0;
      }
      if (line.indent < (block.marker?.width ?? 0)) return false;
      line.advance(block.marker?.width ?? 0);
      return true;
    case 'code':
      return continuesCode(block, line);
    case 'paragraph':
    case 'table':
      return !line.isBlank;
    default:
      return false;
  }
}

function continuesCode({ fence }: Draft, line: Line): boolean {
  if (fence) line.advance(Math.min(fence.indent, line.indent));
  else if (line.isIndented) line.advance(4);
  else if (line.isBlank) line.advanceToText();
  else return false;
  return true;
}

function isClosing(line: Line, mark: string): boolean {
  const text = line.text.slice(line.next).trimEnd();
  return text.length >= mark.length && text === (mark[0] as string).repeat(text.length);
}

function noteBlank({ lineNumber }: Outline, container: Draft, isBlank: boolean): void {
  const { type, fence, children, from } = container;
  const isBegin = type === 'item' && children.length === 0 && from === lineNumber;
  const endsBlank = isBlank && type !== 'quote' && !fence && !isBegin;
  for (let block: Draft | undefined = container; block; block = block.parent) block.endsBlank = endsBlank;
}
