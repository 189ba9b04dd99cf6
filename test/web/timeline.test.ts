import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boxOf } from '../../web/features/attachment/box.ts';
import { covers, goalOf, idAt } from '../../web/features/conversation/goal.ts';
import { rowsOf } from '../../web/features/conversation/rows.ts';
import {
  around,
  confined,
  downwards,
  followed,
  idsIn,
  latest,
  opening,
  SIZE,
  type Span,
  STEP,
  upwards,
} from '../../web/features/conversation/span.ts';
import { addMonths, weeksOf, within } from '../../web/features/date/month.ts';
import { chipsOf } from '../../web/features/reaction/chips.ts';
import { addDays } from '../../web/ui/days.ts';

const idOf = (at: number): string => String(at).padStart(6, '0');
const line = (count: number, from = 0) => Array.from({ length: count }, (_, at) => idOf(from + at));
const whole = { atStart: true, atEnd: true };

const ids = line(1000);

describe('the window of a list', () => {
  test('shows the latest messages, or those around a message, even a deleted one', () => {
    assert.deepEqual(idsIn(ids, latest(ids)), ids.slice(900));
    assert.deepEqual(idsIn(ids, around(ids, idOf(500))), ids.slice(450, 550));
    const without = ids.filter((id) => id !== idOf(500));
    assert.equal(idsIn(without, around(without, idOf(500))).length, 100);
    assert.deepEqual(latest([]), { from: '', to: null });
    assert.equal(around(ids, idOf(999)).to, null);
  });
  test('opens with just enough rows to fill it, and follows the end if that is in view', () => {
    const end = opening(ids, { id: undefined, distance: 0 }, 720);
    assert.deepEqual(idsIn(ids, end), ids.slice(969));
    assert.equal(end.to, null);
    assert.deepEqual(idsIn(ids, opening(ids, { id: idOf(500), distance: 120 }, 720)), ids.slice(494, 526));
    assert.deepEqual(idsIn(ids, opening(ids, { id: idOf(500), distance: -48 }, 720)), ids.slice(499, 533));
    assert.equal(idsIn(ids, opening(ids, { id: idOf(500), distance: 0 }, 100_000)).length, STEP + 1);
    const grown = upwards(ids, end);
    assert.deepEqual(idsIn(ids, grown), ids.slice(919));
    assert.equal(grown.to, null);
  });

  test('scrolls both ways over everything without gaps, and never exceeds its size', () => {
    let span: Span = latest(ids);
    const seen = new Set<string>(idsIn(ids, span));
    for (let step = 0; step < 40; step++) {
      span = upwards(ids, span);
      const shown = idsIn(ids, span);
      assert.ok(shown.length <= SIZE, String(shown.length));
      for (const id of shown) seen.add(id);
    }
    assert.equal(seen.size, ids.length);
    assert.equal(span.from, idOf(0));
    assert.notEqual(span.to, null);
    for (let step = 0; step < 40; step++) {
      const before = idsIn(ids, span);
      span = downwards(ids, span);
      const shown = idsIn(ids, span);
      assert.ok(shown.length <= SIZE);
      // The last row stays, because the person is looking at it.
      if (before.length > 0) assert.ok(shown.includes(before.at(-1) as string));
    }
    assert.equal(span.to, null);
  });

  test('follows the end, and removes the earliest rows beyond its size', () => {
    const span = latest(ids);
    const more = [...ids, ...line(STEP, 1000)];
    assert.equal(idsIn(more, span).at(-1), idOf(999 + STEP));
    assert.equal(followed(more, span, true), span);
    const many = [...ids, ...line(STEP + SIZE, 1000)];
    assert.deepEqual(followed(many, span, true), latest(many));
    assert.ok(idsIn(many, latest(many)).length < SIZE);
    // While the end is out of view, no row above the viewport is removed, and new ones are not rendered.
    const held = followed(many, span, false);
    assert.deepEqual(idsIn(many, held), idsIn(many, span));
    const later = [...many, ...line(500, 1000 + many.length)];
    assert.deepEqual(idsIn(later, held), idsIn(many, span));
  });
});

describe('a loaded range of messages', () => {
  test('limits the window to itself', () => {
    const here = line(50, 500);
    const held = { from: idOf(510), to: idOf(520) };
    assert.equal(confined(here, held), held);
    assert.deepEqual(confined(here, { from: idOf(3), to: null }), { from: idOf(500), to: null });
    assert.deepEqual(confined(here, { from: idOf(520), to: idOf(900) }), { from: idOf(520), to: idOf(549) });
    const elsewhere = { from: idOf(3), to: null };
    assert.equal(confined([], elsewhere), elsewhere);
    // Rows added above are not rendered until somebody scrolls there.
    const more = [...line(100, 400), ...here];
    assert.equal(idsIn(more, confined(here, elsewhere)).length, here.length);
  });

  test('finds the row to scroll to for a message, the first unread, a date, and a deleted message', () => {
    const some = { ids: line(10, 5), atStart: false, atEnd: false };
    assert.equal(covers(some, idOf(4)), false);
    assert.equal(covers(some, idOf(14)), true);
    assert.equal(covers(some, idOf(15)), false);
    assert.equal(covers({ ...some, ...whole }, idOf(99)), true);
    assert.equal(goalOf(some, { kind: 'target', id: idOf(7) }), idOf(7));
    assert.equal(goalOf(some, { kind: 'new', id: idOf(7) }), idOf(8));
    assert.equal(goalOf(some, { kind: 'new', id: idOf(14) }), undefined);
    assert.equal(goalOf({ ...some, ids: [idOf(1), idOf(9)] }, { kind: 'target', id: idOf(7) }), idOf(9));
    assert.equal(goalOf(some, { kind: 'end', id: '' }), undefined);
    assert.ok(idAt(1_800_000_000_000) > '01a3185c-4fff' && idAt(1_800_000_000_000) < '01a3185c-5001');
    assert.match(idAt(0), /^00000000-0000-7000-8000-000000000000$/);
  });
});

describe('the rows of a list', () => {
  const at = new Date(2026, 10, 20, 23, 50).getTime();
  const message = (id: number, minutes: number, creatorId = 'ada', more = {}) => ({
    id: idOf(id),
    createdAt: at + minutes * 60_000,
    creatorId,
    type: 'person' as const,
    replyToId: null,
    ...more,
  });
  const rows = (messages: readonly object[], more = {}) =>
    rowsOf(messages as never, { before: undefined, since: undefined, userId: 'me', ...more });

  test('group messages that one author sends within some minutes', () => {
    const shown = rows([
      message(1, 0),
      message(2, 1),
      message(3, 2, 'ben'),
      message(4, 3, 'ben', { replyToId: 'x' }),
      message(5, 4, 'ben', { type: 'agent' }),
      message(6, 9.9, 'ben', { type: 'agent' }),
    ]);
    assert.deepEqual(
      shown.map(({ hasAuthor }) => hasAuthor),
      [true, false, true, true, true, false],
    );
  });

  test('start a new group each day, with the date', () => {
    const shown = rows([message(2, 1), message(3, 11)], { before: message(1, 0) });
    assert.deepEqual(
      shown.map(({ day, hasAuthor }) => [day !== undefined, hasAuthor]),
      [
        [true, false],
        [true, true],
      ],
    );
  });

  test('mark the first new message by others, once', () => {
    const news = (shown: ReturnType<typeof rows>) =>
      shown.filter(({ isFirstNew }) => isFirstNew).map(({ id }) => id);
    const some = [message(1, 0), message(2, 1, 'me'), message(3, 2, 'ben'), message(4, 3, 'ben')];
    assert.deepEqual(news(rows(some, { since: idOf(1) })), [idOf(3)]);
    assert.deepEqual(news(rows(some)), []);
    assert.deepEqual(news(rows(some.slice(3), { since: idOf(1), before: some[2] })), []);
    // The previous message is new but the reader's own, so the line comes after it.
    assert.deepEqual(news(rows(some.slice(2), { since: idOf(1), before: some[1] })), [idOf(3)]);
  });
});

describe('the days of a calendar', () => {
  const day = (year: number, month: number, date: number) => new Date(year, month, date).getTime();
  test('are weeks that start on the first weekday, across daylight saving changes', () => {
    for (const first of [1, 6, 7])
      for (let month = 0; month < 24; month++) {
        const weeks = weeksOf(day(2026, month, 15), first);
        const days = weeks.flat();
        assert.ok(weeks.every((week) => new Date(week[0] as number).getDay() === first % 7));
        assert.ok(days.includes(day(2026, month, 1)) && days.includes(day(2026, month + 1, 0)));
        assert.ok(days.every((one) => new Date(one).getHours() === 0));
        assert.equal(new Set(days).size, days.length);
      }
  });
  test('are added by months, limited to the last day of the month and to the range', () => {
    assert.equal(addMonths(day(2026, 0, 31), 1), day(2026, 1, 28));
    assert.equal(addMonths(day(2026, 0, 31), -1), day(2025, 11, 31));
    assert.equal(addDays(day(2026, 2, 28), 2), day(2026, 2, 30));
    assert.equal(within(day(2026, 0, 1) + 5, day(2026, 1, 1) + 5, day(2026, 2, 1)), day(2026, 1, 1));
    assert.equal(within(day(2026, 5, 1), day(2026, 1, 1), day(2026, 2, 1) + 7), day(2026, 2, 1));
  });
});

describe('reactions', () => {
  const counts = [
    { emoji: '👍', count: 2 },
    { emoji: '🎉', count: 1 },
  ];
  const show = (own: string[], wishes: [string, boolean][]) =>
    chipsOf(counts, new Set(own), new Map(wishes)).map(
      ({ emoji, count, isMine }) => `${emoji}${count}${isMine ? '!' : ''}`,
    );
  test('count a pending change immediately, and only once', () => {
    assert.deepEqual(show([], []), ['👍2', '🎉1']);
    assert.deepEqual(show([], [['👍', true]]), ['👍3!', '🎉1']);
    assert.deepEqual(show(['👍'], [['👍', true]]), ['👍2!', '🎉1']);
    assert.deepEqual(show(['🎉'], [['🎉', false]]), ['👍2']);
    assert.deepEqual(show([], [['😮', true]]), ['👍2', '🎉1', '😮1!']);
    assert.deepEqual(show([], [['😮', false]]), ['👍2', '🎉1']);
  });
});

describe("an image's box", () => {
  const most = { width: 480, height: 340 };
  test('keeps its proportions, is not enlarged, and has a minimum side', () => {
    assert.deepEqual(boxOf({ width: 4800, height: 3400 }, most), most);
    assert.deepEqual(boxOf({ width: 100, height: 80 }, most), { width: 100, height: 80 });
    assert.deepEqual(boxOf({ width: 1000, height: 10_000 }, most), { width: 48, height: 340 });
    assert.deepEqual(boxOf({ width: 3, height: 3 }, most), { width: 48, height: 48 });
    assert.deepEqual(boxOf({ width: null, height: null }, most), { width: 320, height: 240 });
  });
});
