import { onSignedOut } from '../../api/index.ts';
import { keepInTab, keptInTab } from '../../ui/keptInTab.ts';
import { accountNow } from '../session/index.ts';

/** Where the person left a place: the first row in view, and its distance from the top in px; an empty id for the end. */
export interface Position {
  readonly id: string;
  readonly distance: number;
}

const KEY = 'palaver-positions';
const MOST = 200;

/** By the step of the browser's history, and by the place alone; the latest last. Kept by the tab, so that a reload comes back. */
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

/** The name of this step of the browser's history. It stays through a reload, and comes back with "back". */
export function thisVisit(): string {
  const known: unknown = history.state?.visit;
  if (typeof known === 'string') return known;
  const visit = Math.random().toString(36).slice(2);
  history.replaceState({ ...history.state, visit }, '');
  return visit;
}

/** Keeps where the person is in a place. */
export function keepPosition(visit: string, placeId: string, position: Position | undefined): void {
  // A list that is taken away since the person signs out leaves nothing.
  if (accountNow().state !== 'in') return;
  const now = position ?? { id: '', distance: 0 };
  put(`${visit} ${placeId}`, now);
  put(placeId, now);
  timer ??= setTimeout(store, 500);
}

/** Where the person was at this step of the history. */
export const positionAt = (visit: string, placeId: string): Position | undefined =>
  positions.get(`${visit} ${placeId}`);

/** Where the person was when they last left the place; undefined for the end. */
export function lastPosition(placeId: string): Position | undefined {
  const position = positions.get(placeId);
  return position?.id === '' ? undefined : position;
}
