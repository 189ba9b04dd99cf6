/**
 * The rules for all displayed names. A name must not be empty, resemble another one because of invisible
 * characters, or affect the surrounding text. Stored names that violate these rules are made safe when they
 * are displayed (`web/api/names.ts`, `plain.ts`).
 */

/** Maximum consecutive combining marks. Burmese and Tibetan syllables have up to six. */
const MAX_MARKS = 6;

/** Characters that are blank, although Unicode classifies them as letters or symbols. */
const BLANK = '\\u2800\\ufffc\\u{13441}\\u{13442}\\u{1d159}';
/** The format characters that are visible: Arabic, Syriac and Kaithi signs that precede a number. */
const SIGNS = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
/** Scripts whose letters a joiner or non-joiner connects or separates (Unicode Standard Annex 31, 2.3). */
const JOINING = [
  ...[
    'Arabic',
    'Syriac',
    'Nko',
    'Mongolian',
    'Phags_Pa',
    'Mandaic',
    'Manichaean',
    'Adlam',
    'Hanifi_Rohingya',
  ],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Tibetan', 'Myanmar', 'Khmer', 'Balinese', 'Javanese', 'Chakma'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const FLAG = '\\u{1f3f4}';
const TAG = '[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]';
const PICTURE = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';

const regex = (source: string, flags = 'u'): RegExp => new RegExp(source, flags);

/** Matches a visible character, as the source of a regular expression with the `u` flag. */
export const VISIBLE = `(?!\\p{Default_Ignorable_Code_Point}|[${BLANK}])[\\p{L}\\p{N}\\p{P}\\p{S}]`;
const visible = regex(VISIBLE);

/**
 * Characters that a name must not contain: controls, line and paragraph separators, private and unassigned
 * code points, and invisible characters, unless the surrounding script or emoji needs them.
 */
const invisible = [
  `(?![${SIGNS}\\u200c\\u200d\\u{e0020}-\\u{e007f}])[\\p{C}\\u2028\\u2029]`,
  // Invisible letters and marks, such as the Hangul fillers. Variation selectors are allowed only after a
  // base that they vary.
  `(?![\\p{Cf}\\p{Variation_Selector}])\\p{Default_Ignorable_Code_Point}`,
  `(?<!\\p{Emoji})[\\ufe0e\\ufe0f]`,
  `(?<=[0-9#*])[\\ufe0e\\ufe0f](?!\\u20e3)`,
  `(?<!\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]`,
  `(?<!\\p{Script=Han})[\\ufe00-\\ufe0d\\u{e0100}-\\u{e01ef}]`,
  // A joiner is allowed only between pictographs, or in a script that has joined letters.
  `(?<![${PICTURE}${JOINING}])\\u200d`,
  `(?<=[${PICTURE}])\\u200d(?!\\p{Extended_Pictographic})`,
  `(?<=[${JOINING}])(?<!\\p{M})\\u200d(?![${JOINING}])`,
  `(?<![${JOINING}])\\u200c`,
  `(?<=[${JOINING}])(?<!\\p{M})\\u200c(?![${JOINING}])`,
  // Tag characters are allowed only after a black flag, where they spell a region, as in the flag of
  // Scotland.
  `(?<!${FLAG}${TAG}{0,5})[\\u{e0020}-\\u{e007f}]`,
  `(?<=${FLAG}${TAG}{0,5})${TAG}(?!${TAG}{0,5}\\u{e007f})`,
  `(?<!${FLAG}${TAG}{2,6})\\u{e007f}`,
].join('|');
let compiled: RegExp | undefined;
/**
 * Returns the regex that matches invisible characters. It is created on first use, because V8 takes 20 ms to
 * look up scripts.
 */
const allInvisible = (): RegExp => {
  compiled ??= regex(invisible, 'gu');
  return compiled;
};

const tooManyMarks = regex(`\\p{M}{${MAX_MARKS + 1}}`);
const extraMarks = regex(`(?<=\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/** Whether the text contains anything visible. */
export const isVisible = (text: string): boolean => visible.test(text);

/**
 * The reason why a name is rejected. `message` continues a sentence that starts with the name of the field.
 */
export interface NameProblem {
  reason: 'blank' | 'bad_text' | 'too_long';
  message: string;
}

/** Converts a name to the form in which it is stored. */
export const storedName = (name: string): string => name.normalize('NFC');

/** Returns the problem with a name in its stored form; undefined if the name is valid. */
export function nameProblem(name: string, max: number): NameProblem | undefined {
  if (!isVisible(name)) return { reason: 'blank', message: 'must have a visible character' };
  const at = name.search(allInvisible());
  if (at >= 0)
    return { reason: 'bad_text', message: `must not contain ${pointOf(name, at)}, which is invisible here` };
  if (/^\s*\p{M}/u.test(name)) return { reason: 'bad_text', message: 'must not begin with a combining mark' };
  if (tooManyMarks.test(name))
    return { reason: 'bad_text', message: `must not have more than ${MAX_MARKS} combining marks in a row` };
  if ([...name].length > max) return { reason: 'too_long', message: `must have at most ${max} characters` };
  return undefined;
}

const pointOf = (text: string, at: number): string =>
  `U+${(text.codePointAt(at) as number).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Makes a valid name from any text, for names that people do not type here, such as file names or names from
 * a provider. Empty if nothing visible is left.
 */
export function cleanName(text: string, max: number): string {
  let name = text.toWellFormed().replace(/[\r\n\t\u0085\u2028\u2029]+/g, ' ');
  // A removed character may have protected its neighbour, such as the emoji before a joiner.
  for (let before = ''; before !== name; ) {
    before = name;
    name = cleaned(name, max);
  }
  return isVisible(name) ? name : '';
}

function cleaned(text: string, max: number): string {
  const name = storedName(text.replace(allInvisible(), ''))
    .replace(extraMarks, '')
    .replace(/^[\p{M}\s]+|\s+$/gu, '');
  return [...name].slice(0, max).join('');
}

/**
 * Whether a name typed as confirmation matches this one. This name may contain characters that cannot be
 * typed.
 */
export const isTypedName = (typed: string, name: string): boolean =>
  typed === name || cleanName(typed, typed.length) === cleanName(name, name.length);

/**
 * Converts a unique name to the form that is compared. Ignores differences in compatibility forms, case and
 * invisible characters.
 */
export function nameKey(name: string): string {
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Uppercase makes ß equal to SS and all forms of sigma equal; lowercase before that makes the capital ẞ
  // equal to ß. The dotless ı is a separate letter.
  const folded = plain
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('ı');
  return folded.replaceAll('ς', 'σ').normalize('NFKC').trim();
}
