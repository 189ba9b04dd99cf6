import type { markdown as english } from '../en/markdown.ts';

export const markdown: typeof english = {
  picture: 'Bild',
  done: 'Erledigt',
  table: 'Tabelle',
  spoiler: 'Verborgener Text: zeigen',
  copyCode: 'Code kopieren',
  all: 'Alles zeigen',
  less: 'Weniger zeigen',
};
