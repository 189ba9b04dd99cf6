import type * as english from '../en/shell.ts';
import { texts } from '../texts.ts';

export const shell: typeof english.shell = texts({
  needsScripts: 'Palaver braucht JavaScript in einem Browser. Die API braucht keines.',
  docs: 'Zur Dokumentation',
});
