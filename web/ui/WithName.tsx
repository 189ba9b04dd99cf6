/** Stands for a name while the sentence around it is made; no name has it. */
const PLACE = '\ufffc';

interface WithNameProps {
  /** The sentence with a name in it, or with several. */
  words: (...names: string[]) => string;
  name: string | readonly string[];
}

/** A sentence with names that somebody has chosen: neither turns the other around where one is written from right to left. */
export function WithName({ words, name }: WithNameProps) {
  const all = [name].flat();
  const parts = words(...all.map((_, at) => `${PLACE}${at}${PLACE}`)).split(PLACE);
  // The text before, the place of a name, the text between, and so on.
  return parts.map((part, at) => (at % 2 === 0 ? part : <bdi key={part}>{all[Number(part)]}</bdi>));
}
