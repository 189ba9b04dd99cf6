import { addDays } from '../../ui/days.ts';

/** The choices for when the status text expires. */
export const ends = ['never', 'halfHour', 'hour', 'fourHours', 'today', 'week'] as const;
export type End = (typeof ends)[number];

const MINUTE = 60_000;
const lengths = { halfHour: 30 * MINUTE, hour: 60 * MINUTE, fourHours: 240 * MINUTE } as const;

/**
 * The expiry time in ms; null for never. `today` expires at midnight and `week` at the end of Sunday, in
 * local time.
 */
export function endOf(end: End, now: Date): number | null {
  if (end === 'never') return null;
  if (end === 'today' || end === 'week') {
    const days = end === 'today' ? 1 : (8 - now.getDay()) % 7 || 7;
    return addDays(now.getTime(), days);
  }
  return now.getTime() + lengths[end];
}
