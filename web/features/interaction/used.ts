import { keep, kept } from '../../ui/kept.ts';

const KEY = 'palaver-commands';
const MOST = 20;

const all = (): string[] => (kept(KEY) ?? '').split(' ').filter(Boolean);

/**
 * True if this browser still has to show the outcome of a command that the user used in a channel or thread. Survives a
 * reload.
 */
export const hasUsed = (placeId: string): boolean => (kept(KEY) ?? '').includes(placeId);

/** Records that a command was used in a channel or thread, or that no outcome is left to show. */
export const keepUsed = (placeId: string, isUsed: boolean): void =>
  keep(
    KEY,
    [...(isUsed ? [placeId] : []), ...all().filter((id) => id !== placeId)].slice(0, MOST).join(' ') ||
      undefined,
  );
