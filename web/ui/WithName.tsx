/** Delimits the index of a name while the sentence is built; no text contains it. */
const PLACE = '\ufffc';

type Names = Record<string, string | readonly string[]>;

interface WithNameProps<Values extends Names> {
  /** The sentence around the names. */
  words: (values: Values) => string;
  values: Values;
}

/** A sentence with user-chosen names, isolated so right-to-left names do not reorder it. */
export function WithName<Values extends Names>({ words, values }: WithNameProps<Values>) {
  const all: string[] = [];
  const placeOf = (name: string) => `${PLACE}${all.push(name) - 1}${PLACE}`;
  const places = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === 'string' ? placeOf(value) : value.map(placeOf),
  ]);
  const parts = words(Object.fromEntries(places)).split(PLACE);
  // The parts alternate: text, index of a name, text, and so on.
  return parts.map((part, at) => (at % 2 === 0 ? part : <bdi key={part}>{all[Number(part)]}</bdi>));
}
