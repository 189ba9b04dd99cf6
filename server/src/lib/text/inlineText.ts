import type { Inline } from './nodes.ts';

/** The text of a line as readers see it, with blanks for line breaks. */
export function textOfInlines(
  inlines: readonly Inline[],
  ofSpoiler: (children: readonly Inline[]) => string = textOfInlines,
): string {
  return inlines.map((inline) => textOfInline(inline, ofSpoiler)).join('');
}

function textOfInline(inline: Inline, ofSpoiler: (children: readonly Inline[]) => string): string {
  switch (inline.type) {
    case 'name':
      return inline.mark + inline.name + inline.tail;
    case 'break':
      return ' ';
    case 'spoiler':
      return ofSpoiler(inline.children);
    case 'emphasis':
    case 'strong':
    case 'strike':
    case 'link':
      return textOfInlines(inline.children, ofSpoiler);
    default:
      return inline.text;
  }
}
