/** What stands between two blank lines of an event stream, and says something. */
export interface Block {
  /** The last id that the stream has given, here or before. */
  id: string | undefined;
  /** Empty unless the stream names the event. */
  event: string;
  /** Undefined for a block that moves the id on and tells nothing. */
  data: string | undefined;
}

/**
 * Takes an event stream (WHATWG HTML, 9.2.6) apart as it comes, in pieces that may end anywhere: give it each piece in turn,
 * and it gives the blocks that this one completed.
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
    // A line that ended in a carriage return at the end of the piece before may go on with its line feed.
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
