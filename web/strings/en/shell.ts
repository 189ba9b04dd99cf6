import { texts } from '../texts.ts';

/** Texts shown before scripts have loaded, and the text direction. `build.js` writes them into the page. */
export const shell = texts({
  needsScripts: "The Palaver web client needs JavaScript. The API doesn't.",
  docs: 'Read the documentation',
});
