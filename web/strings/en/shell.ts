import { texts } from '../texts.ts';

/** Shown if scripts cannot run. `build.js` writes these strings into the page. */
export const shell = texts({
  needsScripts: "The Palaver web client needs JavaScript. The API doesn't.",
  docs: 'Read the documentation',
});
