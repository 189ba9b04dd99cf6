/** A block in an event stream: the lines between two blank lines. */
export interface Block {
  /** The latest id in the stream, from this block or an earlier one. */
  id: string | undefined;
  /** The event's name; empty for events without a name. */
  event: string;
  /** Undefined for a block that contains only an id. */
  data: string | undefined;
}

/**
 * Parses an event stream (WHATWG HTML, 9.2.6) from chunks that may end anywhere. Pass the chunks in order.
 * Each call returns the blocks that the chunk completes.
 */
export function eventStreamParser(): (piece: string) => Block[] {
  let rest = '';
  let id: string | undefined;
  let hasMoved = false;
  let event = '';
  let data: string[] = [];
  let endedInReturn = false;

  return (piece) => {
    const blocks: Block[] = [];
    // If the previous chunk ended with a carriage return, a line feed at the start of this one belongs to the
    // same line break.
    const text = rest + (endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece);
    if (piece !== '') endedInReturn = piece.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    rest = lines.pop() as string;
    for (const line of lines) {
      if (line === '') {
        if (hasMoved || data.length > 0) {
          blocks.push({ id, event, data: data.length > 0 ? data.join('\n') : undefined });
        }
        hasMoved = false;
        event = '';
        data = [];
        continue;
      }
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as RegExpExecArray;
      if (name === 'data') data.push(value);
      else if (name === 'event') event = value;
      else if (name === 'id' && !value.includes('\0')) {
        id = value;
        hasMoved = true;
      }
    }
    return blocks;
  };
}
