import { keep, kept } from '../../ui/kept.ts';

const KEY = 'palaver-commands';
const MOST = 20;

const all = (): string[] => (kept(KEY) ?? '').split(' ').filter(Boolean);

/**
 * True if the user used a command in a channel whose outcome this browser still has to show, even after a
 * reload.
 */
export const hasUsed = (channelId: string): boolean => (kept(KEY) ?? '').includes(channelId);

/** Records that a command was used in a channel, or that no outcome is left to show. */
export const keepUsed = (channelId: string, isUsed: boolean): void =>
  keep(
    KEY,
    [...(isUsed ? [channelId] : []), ...all().filter((id) => id !== channelId)].slice(0, MOST).join(' ') ||
      undefined,
  );
