/** Stands for a name while the sentence around it is made; no name has it. */
const PLACE = '\ufffc';

type Names = Record<string, string | readonly string[]>;

interface WithNameProps<Values extends Names> {
  /** The sentence with its names. */
  words: (values: Values) => string;
  values: Values;
}

/** A sentence with names that somebody has chosen: neither turns the other around where one is written from right to left. */
export function WithName<Values extends Names>({ words, values }: WithNameProps<Values>) {
  const all: string[] = [];
  const placeOf = (name: string) => `${PLACE}${all.push(name) - 1}${PLACE}`;
  const places = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === 'string' ? placeOf(value) : value.map(placeOf),
  ]);
  const parts = words(Object.fromEntries(places)).split(PLACE);
  // The text before, the place of a name, the text between, and so on.
  return parts.map((part, at) => (at % 2 === 0 ? part : <bdi key={part}>{all[Number(part)]}</bdi>));
}
