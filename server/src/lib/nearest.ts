/**
 * Finds the word that is closest to the typed one. Up to a third of the typed letters, but at least one, may be
 * wrong, missing, extra or swapped with the next letter. Undefined if no word is close enough.
 */
export function nearest(typed: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const word of words) {
    const steps = stepsBetween(typed.toLowerCase(), word.toLowerCase());
    if (steps < least) [best, least] = [word, steps];
  }
  return best;
}

/**
 * Returns text such as `: did you mean "port"?`, to append to a message about an unknown word; empty if no
 * word is close.
 */
export function didYouMean(typed: string, words: Iterable<string>): string {
  const word = nearest(typed, words);
  return word === undefined ? '' : `: did you mean "${word}"?`;
}

/** Returns the Damerau–Levenshtein distance between two words. */
function stepsBetween(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, place) => place)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let place = 1; place <= other.length; place++) {
      const isSame = one[row - 1] === other[place - 1];
      const exchanged =
        row > 1 && place > 1 && one[row - 1] === other[place - 2] && one[row - 2] === other[place - 1];
      next[place] = Math.min(
        (last?.[place] as number) + 1,
        (next[place - 1] as number) + 1,
        (last?.[place - 1] as number) + (isSame ? 0 : 1),
        exchanged ? (before?.[place - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return last?.[other.length] as number;
}
