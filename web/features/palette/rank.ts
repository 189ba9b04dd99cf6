import { fold } from '../../ui/fold.ts';
import type { IconName } from '../../ui/icons.ts';

/** A destination or an action. */
export interface Entry {
  id: string;
  kind: 'channel' | 'server' | 'person' | 'action' | 'setting' | 'date' | 'link';
  name: string;
  /** Replaces the icon of its kind. */
  icon?: IconName;
  /** Secondary text, such as the server's name. Matches in it get a lower score. */
  about?: string;
  run: () => void;
}

/**
 * The score of a fuzzy match: a name with the typed letters in order, but with other letters in between. Such
 * names are only shown if nothing matches better.
 */
const LOOSE = 20;

/**
 * Scores a name against the typed text, from 0 (no match) to 100. From best to worst: exact match, prefix,
 * word prefix, substring, fuzzy match.
 */
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

/** The score of the word that matches worst. The order of the words does not matter. */
const fitEach = (text: string, typed: string): number =>
  Math.min(...typed.split(/\s+/).map((word) => fit(text, word)));

/** Prefixes that limit the search to some kinds of entries. */
const signs: Readonly<Record<string, readonly Entry['kind'][]>> = {
  '#': ['channel'],
  '@': ['person'],
  '>': ['action', 'setting'],
};

/** The number of entries per kind before anything is typed, which leaves room for all kinds. */
const FEW = 6;

/** Returns up to `most` matching entries, best first. Equally good matches keep the given order. */
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
