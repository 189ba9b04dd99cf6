import type { Records } from '../../../api/records.ts';
import { firstDay } from '../../settings/days/index.ts';

type Run = Records['FlowRun'];

/** The days of the chart, including today. */
const DAYS = 7;

interface DayOfRuns {
  /** The start of the day in the reader's time zone. */
  at: number;
  failed: number;
  others: number;
}

/** The start of the first day of the week that ends today, in milliseconds since the Unix epoch. */
export const startOfWeek = (now: number): number => firstDay(DAYS, now);

/** The number of runs that started on each of the last seven days. */
export function perDay(runs: Iterable<Pick<Run, 'createdAt' | 'status'>>, now: number): DayOfRuns[] {
  const days = Array.from({ length: DAYS }, (_, at) => ({
    at: firstDay(DAYS - at, now),
    failed: 0,
    others: 0,
  }));
  for (const { createdAt, status } of runs) {
    const day = days.findLast(({ at }) => at <= createdAt);
    if (day) day[status === 'failed' ? 'failed' : 'others']++;
  }
  return days;
}
