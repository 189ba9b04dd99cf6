export { EmojiPicker } from './EmojiPicker.tsx';
export type { Emoji } from './find.ts';
export { keepEmoji, recentEmoji } from './recent.ts';
export { toneNow } from './tone.ts';
export { toned } from './toned.ts';

/** The search over all emoji, which comes when it is first needed. */
export const loadEmoji = () => import('./find.ts');
