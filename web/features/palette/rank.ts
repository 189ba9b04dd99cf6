import { fold } from '../../ui/fold.ts';

/** Something that can be gone to or done. */
export interface Entry {
  /** Unlike any other's. */
  id: string;
  kind: 'channel' | 'server' | 'person' | 'action' | 'setting' | 'date' | 'link';
  name: string;
  /** Words beside the name, such as its server; found too, but less well. */
  about?: string;
  run: () => void;
}

/** The fit of a name that has the letters in their order, and no more. It is meant where nothing fits better. */
const LOOSE = 20;

/** How well a name fits what was typed; 0 for not at all. The whole name fits best, then its beginning, a word's, letters in order. */
export function fit(name: string, typed: string): number {
  const [text, wanted] = [fold(name), fold(typed)];
  if (wanted === '') return 1;
  if (text === wanted) return 100;
  if (text.startsWith(wanted)) return 80;
  if (text.split(/[\s_./-]+/).some((word) => word.startsWith(wanted))) return 60;
  if (text.includes(wanted)) return 40;
  let at = 0;
  for (const letter of wanted) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return 0;
  }
  return LOOSE;
}

/** How well all words that were typed fit, in any order: as the one that fits worst. */
const fitEach = (text: string, typed: string): number =>
  Math.min(...typed.split(/\s+/).map((word) => fit(text, word)));

/** Signs that one may begin with, and the kinds that are meant. */
const signs: Readonly<Record<string, readonly Entry['kind'][]>> = {
  '#': ['channel'],
  '@': ['person'],
  '>': ['action', 'setting'],
};

/** Entries of each kind that show before anything is typed: so that each kind is seen. */
const FEW = 6;

/** The entries that fit, the best first; equal ones in the given order. At most `most`. */
export function ranked(entries: readonly Entry[], typed: string, most = 30): Entry[] {
  const kinds = signs[typed.trim().charAt(0)];
  const words = (kinds ? typed.trim().slice(1) : typed).trim();
  const meant = kinds ? entries.filter(({ kind }) => kinds.includes(kind)) : entries;
  if (words === '' && !kinds) return fewOfEach(meant);
  const scored = meant.map((entry, order) => {
    const beside = words === '' ? 0 : fitEach(`${entry.name} ${entry.about ?? ''}`, words);
    return { entry, order, score: Math.max(fit(entry.name, words), beside > LOOSE ? beside / 2 : 0) };
  });
  const isFound = scored.some(({ score }) => score > LOOSE * 1.5);
  return scored
    .filter(({ score }) => score > (isFound ? LOOSE : 0))
    .sort((one, other) => other.score - one.score || one.order - other.order)
    .slice(0, most)
    .map(({ entry }) => entry);
}

function fewOfEach(entries: readonly Entry[]): Entry[] {
  const order = ['channel', 'action', 'person', 'server', 'setting'] as const;
  return order.flatMap((kind) => entries.filter((entry) => entry.kind === kind).slice(0, FEW));
}
