/** Schedules that the form can show. */
export type Repeat = 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly';
export const repeats = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const satisfies Repeat[];

export interface Plan {
  repeat: Repeat;
  /** The day of a `weekly` schedule. 0 is Sunday. */
  weekday: number;
  hour: number;
  minute: number;
}

const isWithin = (text: string, most: number): boolean => /^\d{1,2}$/.test(text) && Number(text) <= most;

/** Parses a cron expression; undefined if the form cannot show it. */
export function planOf(cron: string): Plan | undefined {
  const [minute = '', hour = '', date, month, weekday = '', ...others] = cron.trim().split(/\s+/);
  if (others.length > 0 || month !== '*' || !isWithin(minute, 59)) return undefined;
  const time = { weekday: 1, minute: Number(minute) };
  if (hour === '*')
    return date === '*' && weekday === '*' ? { ...time, repeat: 'hourly', hour: 0 } : undefined;
  if (!isWithin(hour, 23)) return undefined;
  const at = { ...time, hour: Number(hour) };
  if (date === '1' && weekday === '*') return { ...at, repeat: 'monthly' };
  if (date !== '*') return undefined;
  if (weekday === '*') return { ...at, repeat: 'daily' };
  if (weekday === '1-5') return { ...at, repeat: 'weekdays' };
  return isWithin(weekday, 7) ? { ...at, repeat: 'weekly', weekday: Number(weekday) % 7 } : undefined;
}

export function cronOf({ repeat, weekday, hour, minute }: Plan): string {
  const days = { daily: '* * *', weekdays: '* * 1-5', weekly: `* * ${weekday}`, monthly: '1 * *' };
  return repeat === 'hourly' ? `${minute} * * * *` : `${minute} ${hour} ${days[repeat]}`;
}

/** Pads an hour or a minute to two digits. */
export const two = (value: number): string => String(value).padStart(2, '0');

/** The time of a plan, such as 09:05. */
export const timeOf = ({ hour, minute }: Plan): string => `${two(hour)}:${two(minute)}`;
