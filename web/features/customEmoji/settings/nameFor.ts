/** Maximum length of a name in code points, as in the API. */
const MOST = 32;

/** Derives an emoji's name from its file name: `Party Parrot.gif` becomes `party_parrot`. */
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
