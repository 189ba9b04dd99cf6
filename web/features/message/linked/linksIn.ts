import { type Block, type Inline, parseMessage } from '../../../../server/src/lib/text/index.ts';

/** A message that a text links to. */
export interface LinkedRef {
  serverId: string;
  messageId: string;
}

/** Maximum previews below a message. */
const MOST = 3;

/**
 * The messages that a text links to: each once, the first few in order. `refOf` is the message of a URL, undefined for
 * other URLs.
 */
export function linksIn(content: string, refOf: (url: string) => LinkedRef | undefined): LinkedRef[] {
  const found = new Map<string, LinkedRef>();
  const add = (url: string) => {
    const ref = refOf(url);
    if (ref) found.set(ref.messageId, ref);
  };
  const inline = (one: Inline): void => {
    // A preview would reveal what a spoiler hides.
    if (one.type === 'spoiler') return;
    if (one.type === 'link') add(one.url);
    if ('children' in one) one.children.forEach(inline);
  };
  const block = (one: Block): void => {
    switch (one.type) {
      case 'paragraph':
      case 'heading':
        one.children.forEach(inline);
        return;
      case 'list':
        for (const item of one.items) item.children.forEach(block);
    }
  };
  parseMessage(content).forEach(block);
  return [...found.values()].slice(0, MOST);
}
