/** Maximum length of a name in code points, as in the API. */
const MOST = 32;

/** A name for an emoji from the name of its file: `Party Parrot.gif` becomes `party_parrot`. */
export const nameFor = (fileName: string): string =>
  [
    ...fileName
      .normalize('NFC')
      .replace(/\.[^.]*$/, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}+-]+/gu, '_')
      .replaceAll(/^_+|_+$/g, ''),
  ]
    .slice(0, MOST)
    .join('');
