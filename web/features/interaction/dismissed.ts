import { createStore } from '../../ui/index.ts';
import { keep, kept } from '../../ui/kept.ts';

const KEY = 'palaver-dismissed';
const MOST = 200;

/** The interactions whose outcome the user dismissed in this browser, latest first. */
const dismissed = createStore<readonly string[]>((kept(KEY) ?? '').split(' ').filter(Boolean));

export const useIsDismissed = (id: string): boolean => dismissed.use().includes(id);

export const useDismissed = (): readonly string[] => dismissed.use();

/** Hides the outcome of an interaction, even after a reload. */
export function dismiss(id: string): void {
  const next = [id, ...dismissed.get().filter((one) => one !== id)].slice(0, MOST);
  dismissed.set(next);
  keep(KEY, next.join(' '));
}
