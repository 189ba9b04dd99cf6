import { canonicalEmoji } from '../../lib/emoji.ts';
import { shortcodeNames } from './shortcodeNames.ts';

let byName: Map<string, string> | undefined;

function emojiByName(): Map<string, string> {
  byName ??= new Map(
    shortcodeNames.split('\n').flatMap((line) => {
      const [emoji = '', ...names] = line.split(' ');
      return names.map((name): [string, string] => [name, emoji]);
    }),
  );
  return byName;
}

/** The skin tones that Slack numbers from 2 to 6. */
const tones = ['\u{1F3FB}', '\u{1F3FC}', '\u{1F3FD}', '\u{1F3FE}', '\u{1F3FF}'];
const toneWords = ['light', 'medium_light', 'medium', 'medium_dark', 'dark'];
/**
 * Matches a short name with a skin tone: `wave::skin-tone-2` (Slack), `wave_tone1` (Discord, Rocket.Chat) and
 * `wave_light_skin_tone` (Mattermost).
 */
const TONED = /^(.+?)(?:::skin-tone-([2-6])|_tone([1-5])|_((?:medium_)?(?:light|dark)|medium)_skin_tone)$/;

/**
 * Returns the emoji with this short name, given without colons. Undefined for other names, such as those of
 * custom emoji.
 */
export function emojiNamed(name: string): string | undefined {
  if (name.length > 100) return undefined;
  const key = name.toLowerCase();
  const found = emojiByName().get(key) ?? emojiByName().get(key.replaceAll('-', '_'));
  const [, base, slack, joypixels, words] = found === undefined ? (TONED.exec(key) ?? []) : [];
  if (base === undefined) return found;
  const index = slack
    ? Number(slack) - 2
    : joypixels
      ? Number(joypixels) - 1
      : toneWords.indexOf(words ?? '');
  const plain = emojiByName().get(base);
  return plain?.replace(/(\p{Emoji_Modifier_Base})\u{FE0F}?/gu, `$1${tones[index]}`);
}

/** Matches characters that the name of a custom emoji cannot contain. */
const NAME = /[^\p{L}\p{M}\p{N}_+-]+/gu;

/**
 * Converts the name of a custom emoji to a valid one: up to 32 letters, digits, `_`, `+` and `-`. May be
 * empty.
 */
export const customNameOf = (name: string): string =>
  [...name.slice(0, 200).normalize('NFKC').toLowerCase().replace(NAME, '_')].slice(0, 32).join('');

/**
 * Converts the short name of a reaction to an emoji, or to a custom name between colons. Undefined for an
 * empty name.
 */
export function reactionNamed(name: string): string | undefined {
  const bare = name.replace(/^:|:$/g, '');
  const custom = customNameOf(bare);
  return emojiNamed(bare) ?? (custom === '' ? undefined : `:${custom}:`);
}

/** Like `reactionNamed`, but the reaction may also be an emoji. */
export const reactionOf = (text: string): string | undefined =>
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u.test(text) && text.length <= 64
    ? canonicalEmoji(text)
    : reactionNamed(text);

const SHORTCODE = /:([\p{L}\p{N}_+'&.-]{1,100}(?:::skin-tone-[2-6])?):/gu;

/** Replaces short names of emoji between colons. Custom and unknown names stay unchanged. */
export const withEmoji = (text: string): string =>
  text.includes(':') ? text.replace(SHORTCODE, (code, name: string) => emojiNamed(name) ?? code) : text;
