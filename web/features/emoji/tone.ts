import { createStore } from '../../ui/index.ts';
import { keep, kept } from '../../ui/kept.ts';
import { type Tone, tones } from './toned.ts';

const KEY = 'palaver-emoji-tone';

const chosen = kept(KEY);
const tone = createStore<Tone>(tones.find((one) => one === chosen) ?? '');

export const useTone = (): Tone => tone.use();
export const toneNow = (): Tone => tone.get();

/**
 * Sets the skin tone of all emoji that support one, in this browser. If storage is blocked, it lasts until
 * the page closes.
 */
export function keepTone(next: Tone): void {
  tone.set(next);
  keep(KEY, next);
}
