/** Settings with which servers for tests start unless a test sets others: no rate limits, and open metrics. */
export const unlimited = { PALAVER_LIMITS: '{"*":0}', PALAVER_METRICS: 'open' };
