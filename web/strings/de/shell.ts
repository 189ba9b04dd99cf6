import type * as english from '../en/shell.ts';
import { texts } from '../texts.ts';

export const shell: typeof english.shell = texts({
  needsScripts: 'Der Web-Client von Palaver braucht JavaScript. Die API braucht keines.',
  docs: 'Zur Dokumentation',
});
