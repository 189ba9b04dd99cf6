import { texts } from '../texts.ts';

/** What the page says before its scripts, and the side on which its lines begin: `build.js` writes it there. */
export const shell = texts({
  needsScripts: 'Palaver needs JavaScript in a browser. Its API needs none.',
  docs: 'Read the documentation',
});
