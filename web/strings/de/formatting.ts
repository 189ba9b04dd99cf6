import type * as english from '../en/formatting.ts';
import { texts } from '../texts.ts';

export const formatting: typeof english.formatting = texts({
  label: 'Formatierung',
  formats: {
    bold: ['Fett', 'Strg B', '⌘ B'],
    italic: ['Kursiv', 'Strg I', '⌘ I'],
    strike: ['Durchgestrichen', 'Strg Umschalt X', '⌘ ⇧ X'],
    link: ['Link', 'Strg Umschalt U', '⌘ ⇧ U'],
    ordered: ['Nummerierte Liste', 'Strg Umschalt 7', '⌘ ⇧ 7'],
    bulleted: ['Aufzählung', 'Strg Umschalt 8', '⌘ ⇧ 8'],
    quote: ['Zitat', 'Strg Umschalt 9', '⌘ ⇧ 9'],
    code: ['Code', 'Strg E', '⌘ E'],
    block: ['Codeblock', 'Strg Alt Umschalt C', '⌘ ⌥ ⇧ C'],
  },
  nothing: 'Noch kein Text',
  help: 'Formatierungshilfe',
  typed: 'Eingabe',
  shown: 'Anzeige',
  more: 'Ein umgekehrter Schrägstrich zeigt das nächste Zeichen unverändert an.',
  samples: [
    '**fett**',
    '*kursiv*',
    '~~durchgestrichen~~',
    '[Beschriftung](https://example.com)',
    '1. erstens\n2. zweitens',
    '- Punkt\n- Punkt',
    '- [x] erledigt\n- [ ] offen',
    '> Zitat',
    '`Code`',
    '```js\nlet code = 1;\n```',
    '# Überschrift',
    '| A | B |\n|---|---|\n| 1 | 2 |',
    '||Spoiler||',
    '\\*nicht kursiv\\*',
  ],
});
