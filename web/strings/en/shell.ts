import { texts } from '../texts.ts';

/** What the page says before its scripts, and the side on which its lines begin: `build.js` writes it there. */
export const shell = texts({
  needsScripts: "The Palaver web client needs JavaScript. The API doesn't.",
  docs: 'Read the documentation',
});
