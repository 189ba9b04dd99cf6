import type { Name } from './inlineText.ts';
import { parseMessage } from './message.ts';
import type { Block, Inline } from './nodes.ts';

/**
 * A name that is mentioned in a text. It refers to the user named `longer` or, if there is none, to the user
 * named `name`.
 */
interface Mention {
  name: string;
  longer: string;
}

/**
 * Returns up to `max` usernames that are mentioned in a message, in lowercase and in order. Code, links,
 * email addresses and escaped marks mention nobody.
 */
export function mentionsIn(content: string, max: number): Mention[] {
  if (!/@[\w.-]/.test(content)) return [];
  const found = new Map<string, Mention>();
  for (const { mark, name, tail } of namesIn(parseMessage(content))) {
    if (mark !== '@') continue;
    const longer = (name + tail).toLowerCase();
    if (found.size < max) found.set(longer, { name: name.toLowerCase(), longer });
  }
  return [...found.values()];
}

function* namesIn(parts: readonly (Block | Inline)[]): Generator<Name> {
  for (const part of parts) {
    if (part.type === 'name') yield part;
    else if (part.type === 'list') for (const { children } of part.items) yield* namesIn(children);
    else if (part.type === 'table') for (const cell of part.rows.flat()) yield* namesIn(cell);
    else if ('children' in part && part.type !== 'link') yield* namesIn(part.children);
  }
}

/** Whether this name is parsed as a whole when it is written after the mark. */
export function isName(mark: '@' | '#', name: string): boolean {
  const [first, ...others] = namesIn(parseMessage(mark + name));
  return (
    first !== undefined && others.length === 0 && first.mark === mark && first.name + first.tail === name
  );
}
