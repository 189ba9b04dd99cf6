import { texts } from '../texts.ts';

/** The formatting toolbar of the composer. */
export const formatting = texts({
  label: 'Formatting',
  formats: {
    bold: ['Bold', 'Ctrl B', '⌘ B'],
    italic: ['Italic', 'Ctrl I', '⌘ I'],
    strike: ['Strikethrough', 'Ctrl Shift X', '⌘ ⇧ X'],
    link: ['Link', 'Ctrl Shift U', '⌘ ⇧ U'],
    ordered: ['Ordered list', 'Ctrl Shift 7', '⌘ ⇧ 7'],
    bulleted: ['Bulleted list', 'Ctrl Shift 8', '⌘ ⇧ 8'],
    quote: ['Quote', 'Ctrl Shift 9', '⌘ ⇧ 9'],
    code: ['Code', 'Ctrl E', '⌘ E'],
    block: ['Code block', 'Ctrl Alt Shift C', '⌘ ⌥ ⇧ C'],
  },
  nothing: 'Nothing to preview',
  help: 'Formatting help',
  typed: 'You type',
  shown: 'You see',
  more: 'Type a backslash before a character to show it unformatted.',
  samples: [
    '**bold**',
    '*italic*',
    '~~strikethrough~~',
    '[label](https://example.com)',
    '1. first\n2. second',
    '- item\n- item',
    '- [x] done\n- [ ] to do',
    '> quote',
    '`code`',
    '```js\nlet code = 1;\n```',
    '# Heading',
    '| A | B |\n|---|---|\n| 1 | 2 |',
    '||spoiler||',
    '\\*not italic\\*',
  ],
});
