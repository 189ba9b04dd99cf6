/** The skin tones, from none to dark. */
export const tones = ['', '\u{1F3FB}', '\u{1F3FC}', '\u{1F3FD}', '\u{1F3FE}', '\u{1F3FF}'] as const;
export type Tone = (typeof tones)[number];

/** Applies a skin tone to each person or body part in an emoji. The handshake between two people takes none. */
export const toned = (emoji: string, next: Tone): string =>
  next === ''
    ? emoji
    : emoji.replace(/(?!\u{1F91D}\u{200D})(\p{Emoji_Modifier_Base})\u{FE0F}?/gu, `$1${next}`);
