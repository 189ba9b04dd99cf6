import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, quietMinutes } from '../../server/src/lib/quietHours.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const hours = (from: string, to: string, days = everyDay, timeZone = 'Europe/Berlin') => ({
  ...{ from, to, days, timeZone },
});
/** A time in winter, when Berlin is an hour ahead of UTC. The default day is a Friday. */
const at = (time: string, day = '2026-11-27') => Date.parse(`${day}T${time}:00+01:00`);

test('quiet hours within a day apply between their start and their end', () => {
  const lunch = hours('12:00', '13:30');
  assert.equal(quietMinutes(lunch, at('11:59')), 0);
  assert.equal(quietMinutes(lunch, at('12:00')), 90);
  assert.equal(quietMinutes(lunch, at('13:29')), 1);
  assert.equal(quietMinutes(lunch, at('13:30')), 0);
});

test('quiet hours over midnight belong to the day on which they begin', () => {
  const nights = hours('22:00', '07:00', [5]);
  assert.equal(quietMinutes(nights, at('21:59')), 0);
  assert.equal(quietMinutes(nights, at('22:00')), 9 * 60);
  assert.equal(quietMinutes(nights, at('06:59', '2026-11-28')), 1);
  assert.equal(quietMinutes(nights, at('07:00', '2026-11-28')), 0);
  assert.equal(quietMinutes(nights, at('06:00')), 0, 'Thursday night is not chosen');
  assert.equal(quietMinutes(nights, at('23:00', '2026-11-28')), 0);
  const sundays = hours('22:00', '07:00', [7]);
  assert.equal(quietMinutes(sundays, at('06:00', '2026-11-30')), 60, 'Sunday night ends on Monday');
});

test('equal start and end times mean the whole day', () => {
  const weekend = hours('00:00', '00:00', [6, 7]);
  assert.equal(quietMinutes(weekend, at('23:59')), 0);
  assert.equal(quietMinutes(weekend, at('00:00', '2026-11-28')), 24 * 60);
  assert.ok(quietMinutes(weekend, at('23:59', '2026-11-29')) > 0);
  assert.equal(quietMinutes(weekend, at('00:00', '2026-11-30')), 0);
});

test('times are local and respect daylight saving time', () => {
  const nights = hours('22:00', '07:00');
  assert.equal(quietMinutes(nights, Date.parse('2026-07-01T19:59:00Z')), 0);
  assert.equal(quietMinutes(nights, Date.parse('2026-07-01T20:00:00Z')), 9 * 60);
  assert.equal(quietMinutes(nights, Date.parse('2026-12-01T20:00:00Z')), 0);
  const india = hours('22:00', '07:00', everyDay, 'Asia/Kolkata');
  assert.equal(quietMinutes(india, Date.parse('2026-07-01T16:30:00Z')), 9 * 60);
});

test('users without quiet hours and unknown time zones are never quiet', () => {
  assert.equal(quietMinutes(null, 0), 0);
  assert.equal(quietMinutes(hours('00:00', '00:00', everyDay, 'Moon/Base'), 0), 0);
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Moon/Base', '', '../etc'].map(isTimeZone), [
    ...[true, true],
    ...[false, false, false],
  ]);
});
