import { parseMessage } from './message.ts';
import type { Block, Inline } from './nodes.ts';

const linkStart = /https?:\/\/|www\./i;

/** Whether a text may contain a link to a website. */
export const mayHaveLinks = (content: string): boolean => linkStart.test(content);

/**
 * Returns the URLs that a message links to, in order and without duplicates. Excludes links in quotes, which
 * somebody else wrote, and in spoilers, because a preview would reveal their content. Takes linear time.
 */
export function linksIn(content: string): string[] {
  if (!mayHaveLinks(content)) return [];
  const found = new Set<string>();
  const inline = (one: Inline): void => {
    if (one.type === 'spoiler') return;
    if (one.type === 'link') found.add(one.url);
    if ('children' in one) one.children.forEach(inline);
  };
  const block = (one: Block): void => {
    if (one.type === 'paragraph' || one.type === 'heading') one.children.forEach(inline);
    else if (one.type === 'list') for (const item of one.items) item.children.forEach(block);
  };
  parseMessage(content).forEach(block);
  return [...found];
}
