import type { OwnStatus } from './own.ts';

/** After this many milliseconds without input in any tab of the browser, the user is away. */
const REST = 10 * 60_000;
const LOOK = 20_000;
/** Throttle for recording input. */
const NOTE = 5_000;

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

interface IdleAround {
  userId: string;
  status: () => OwnStatus | undefined;
  save: (status: OwnStatus) => void;
  /**
   * Calls `sign` when the user is active in some other way, such as on another device. Returns a function
   * that unsubscribes.
   */
  onSign: (sign: () => void) => () => void;
}

/**
 * Sets an online user to away after ten minutes without input, and back to online on the next input.
 * Statuses that the user chose are kept. Returns a function that stops it.
 */
export function watchIdle({ userId, status, save, onSign }: IdleAround): () => void {
  const kept = shared(userId);
  let noted = Date.now();
  kept.note(noted);
  const sign = () => {
    const now = Date.now();
    if (now - noted < NOTE && !kept.isAway()) return;
    noted = now;
    kept.note(now);
    if (!kept.isAway()) return;
    kept.setAway(false);
    if (status() === 'idle') save('online');
  };
  const look = () => {
    if (Date.now() - Math.max(noted, kept.noted()) < REST) return;
    if (status() !== 'online' || kept.isAway()) return;
    kept.setAway(true);
    save('idle');
  };
  for (const input of inputs) addEventListener(input, sign, { capture: true, passive: true });
  const endSigns = onSign(sign);
  const timer = setInterval(look, LOOK);
  return () => {
    clearInterval(timer);
    endSigns();
    for (const input of inputs) removeEventListener(input, sign, { capture: true });
  };
}

/**
 * State that the browser's tabs share: the time of the last input, and whether one of them set the user to
 * away.
 */
function shared(userId: string) {
  const [at, away] = [`palaver.input.${userId}`, `palaver.away.${userId}`];
  const own = new Map<string, string>();
  const read = (key: string) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return own.get(key) ?? null;
    }
  };
  const write = (key: string, value: string) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      own.set(key, value);
    }
  };
  return {
    note: (now: number) => write(at, String(now)),
    noted: () => Number(read(at) ?? 0),
    isAway: () => read(away) === '1',
    setAway: (isAway: boolean) => write(away, isAway ? '1' : ''),
  };
}
