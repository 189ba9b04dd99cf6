import { withEmoji } from './emoji.ts';
import { outsideCode } from './outsideCode.ts';

/** Converts references and short names of emoji in a Markdown text, outside code. */
export const convertedMarkdown = (text: string, convert: (part: string) => string): string =>
  outsideCode(text, (part) => withEmoji(convert(part)));
