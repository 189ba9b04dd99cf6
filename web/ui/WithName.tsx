/** Stands for the name while the sentence around it is made; no name has it. */
const PLACE = '\ufffc';

interface WithNameProps {
  /** The sentence with a name in it. */
  words: (name: string) => string;
  name: string;
}

/** A sentence with a name that somebody has chosen: neither turns the other around where one is written from right to left. */
export function WithName({ words, name }: WithNameProps) {
  const [before, after] = words(PLACE).split(PLACE);
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  );
}
