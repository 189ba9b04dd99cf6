/** The local midnight of a time, or of the day that is `days` days later, regardless of daylight saving time. */
export function addDays(at: number, days: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}
