export { CustomPicture, customEmojiIn, EmojiFace, useCustomEmoji } from './custom.tsx';
export { EmojiPicker } from './EmojiPicker.tsx';
export type { Emoji } from './find.ts';
export { type CustomEmoji, isUsable, pictureOf } from './named.ts';
export { keepEmoji, recentEmoji } from './recent.ts';
export { toneNow } from './tone.ts';
export { toned } from './toned.ts';

/** The emoji search, loaded on first use. */
export const loadEmoji = () => import('./find.ts');
