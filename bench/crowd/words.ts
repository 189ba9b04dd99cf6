import { Random } from '../../test/support/seeded.ts';

/** Search words. The newest sixth of the messages contains none of them. */
export const sought = {
  /** Occurs in every other older message. */
  common: 'harbour',
  /** Occurs in one of 5,000 older messages. */
  rare: 'lighthouse',
  /** Occurs in no message. */
  absent: 'zeppelin',
};

const RARE = 5_000;
const WORDS = 20_000;
/** The number of words per message, in addition to those above. */
const MIN_WORDS = 4;
const MAX_WORDS = 16;

const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to va we xi yo zu qua'.split(' ');

/** A made-up word for each number. */
function wordOf(number: number): string {
  let word = '';
  for (let rest = number + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word = syllables[rest % syllables.length] + word;
  return word;
}

/** Returns the text of each message. As in natural language, few words are frequent and most are rare. */
export function textsOf(messages: number): (number: number) => string {
  const random = new Random(1);
  const vocabulary = Array.from({ length: WORDS }, (_, number) => wordOf(number));
  const older = Math.floor((messages * 5) / 6);
  return (number) => {
    const words: string[] = [];
    const length = MIN_WORDS + random.below(MAX_WORDS - MIN_WORDS + 1);
    while (words.length < length) words.push(vocabulary[Math.floor(WORDS ** random.next()) - 1] as string);
    if (number < older && number % 2 === 0) words.push(sought.common);
    if (number < older && number % RARE === 0) words.push(sought.rare);
    return words.join(' ');
  };
}
