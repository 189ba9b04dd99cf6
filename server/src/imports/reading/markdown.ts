import { withEmoji } from './emoji.ts';
import { outsideCode } from './outsideCode.ts';

/** Converts the references in a Markdown text outside of code, and short names of emoji. */
export const convertedMarkdown = (text: string, convert: (part: string) => string): string =>
  outsideCode(text, (part) => withEmoji(convert(part)));
