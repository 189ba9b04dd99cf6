import type { Inline } from './nodes.ts';

export type Name = Extract<Inline, { type: 'name' }>;

/** Replacements for parts of a line, such as a mask for spoilers. */
export interface TextOptions {
  ofSpoiler?: (children: readonly Inline[]) => string;
  /** The display name for a username. */
  ofName?: (name: Name) => string;
  /** The text of a line break. Defaults to a space. */
  lineBreak?: string;
  /** The text of a link or image. Defaults to its label. */
  ofLink?: (label: string, url: string) => string;
}

/**
 * Returns the text of a name as it is displayed. A mention shows the member's name, which `nameOf` returns
 * for a lowercase username. Unknown names and channels are shown as written.
 */
export function shownName(
  { mark, name, tail }: Name,
  nameOf: (username: string) => string | undefined,
): string {
  const known = (text: string) => (mark === '@' && nameOf(text.toLowerCase())) || '';
  return mark + ((tail && known(name + tail)) || (known(name) || name) + tail);
}

/** Returns the text of a line as it is displayed. */
export const textOfInlines = (inlines: readonly Inline[], options: TextOptions = {}): string =>
  inlines.map((inline) => textOfInline(inline, options)).join('');

function textOfInline(inline: Inline, options: TextOptions): string {
  switch (inline.type) {
    case 'name':
      return options.ofName?.(inline) ?? inline.mark + inline.name + inline.tail;
    case 'break':
      return options.lineBreak ?? ' ';
    case 'spoiler':
      return options.ofSpoiler?.(inline.children) ?? textOfInlines(inline.children, options);
    case 'emphasis':
    case 'strong':
    case 'strike':
      return textOfInlines(inline.children, options);
    case 'link': {
      const label = textOfInlines(inline.children, options);
      return options.ofLink?.(label, inline.url) ?? label;
    }
    case 'image':
      return options.ofLink?.(inline.text, inline.url) ?? inline.text;
    default:
      return inline.text;
  }
}
