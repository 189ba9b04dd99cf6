import { createStore } from '../../ui/index.ts';
import { type Tone, tones } from './toned.ts';

const KEY = 'palaver-emoji-tone';

const keptTone = (): Tone => {
  const kept = globalThis.localStorage?.getItem(KEY);
  return tones.find((tone) => tone === kept) ?? '';
};

const tone = createStore<Tone>(keptTone());

export const useTone = (): Tone => tone.use();
export const toneNow = (): Tone => tone.get();

/** Chooses the tone for all emoji that may have one, in this browser. */
export function keepTone(next: Tone): void {
  tone.set(next);
  globalThis.localStorage?.setItem(KEY, next);
}
