import type { shell as english } from '../en/shell.ts';

export const shell: typeof english = {
  direction: 'ltr',
  needsScripts: 'Palaver braucht JavaScript in einem Browser. Die API braucht keines.',
  docs: 'Zur Dokumentation',
};
