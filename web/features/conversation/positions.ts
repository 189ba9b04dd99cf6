import { onSignedOut } from '../../api/index.ts';
import { keepInTab, keptInTab } from '../../ui/keptInTab.ts';
import { accountNow } from '../session/index.ts';

/**
 * The scroll position in a channel or thread: the first row in view, and its distance from the top in px. An empty id
 * means the end.
 */
export interface Position {
  readonly id: string;
  readonly distance: number;
}

const KEY = 'palaver-positions';
const MOST = 200;

/** Positions by history entry and by channel or thread, latest last. Stored in the tab, so a reload restores them. */
const positions = new Map(keptInTab<[string, Position][]>(KEY));
let timer: ReturnType<typeof setTimeout> | undefined;

function store(): void {
  clearTimeout(timer);
  timer = undefined;
  keepInTab(KEY, positions.size > 0 ? [...positions] : undefined);
}
globalThis.addEventListener?.('pagehide', store);
onSignedOut(() => {
  positions.clear();
  store();
});

function put(key: string, position: Position): void {
  positions.delete(key);
  positions.set(key, position);
  const [oldest] = positions.keys();
  if (positions.size > MOST && oldest !== undefined) positions.delete(oldest);
}

/** The id of the current history entry. It survives a reload, and "back" restores it. */
export function thisVisit(): string {
  const known: unknown = history.state?.visit;
  if (typeof known === 'string') return known;
  const visit = Math.random().toString(36).slice(2);
  history.replaceState({ ...history.state, visit }, '');
  return visit;
}

export function keepPosition(visit: string, placeId: string, position: Position | undefined): void {
  // Nothing is stored for a list that unmounts because the user signs out.
  if (accountNow().state !== 'in') return;
  const now = position ?? { id: '', distance: 0 };
  put(`${visit} ${placeId}`, now);
  put(placeId, now);
  timer ??= setTimeout(store, 500);
}

/** The position saved for this history entry. */
export const positionAt = (visit: string, placeId: string): Position | undefined =>
  positions.get(`${visit} ${placeId}`);

/** The position at which the user last left the channel or thread. Undefined if that was the end. */
export function lastPosition(placeId: string): Position | undefined {
  const position = positions.get(placeId);
  return position?.id === '' ? undefined : position;
}
