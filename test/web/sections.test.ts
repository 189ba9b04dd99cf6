import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Row } from '../../web/features/conversation/rows.ts';
import { MOST, type Section, sectionsOf } from '../../web/features/conversation/sections.ts';

const DAY = 5_000;
const row = (at: number, day?: number): Row => ({
  id: String(at).padStart(6, '0'),
  day,
  isFirstNew: false,
  hasAuthor: day !== undefined,
});
/** Rows as in a list: the first one shows its day. */
const rows = (ats: readonly number[], days: readonly number[] = []): Row[] =>
  ats.map((each, at) => row(each, at === 0 || days.includes(each) ? DAY : undefined));
const range = (from: number, end: number) => Array.from({ length: end - from }, (_, at) => from + at);
const idsOf = (sections: readonly Section[]) =>
  sections.flatMap(({ rows: inside }) => inside.map(({ id }) => id));
const sizes = (sections: readonly Section[]) => sections.map(({ rows: inside }) => inside.length);
const homeOf = (sections: readonly Section[]) =>
  new Map(sections.flatMap(({ key, rows: inside }) => inside.map(({ id }) => [id, key] as const)));

const first = sectionsOf(rows(range(100, 150)), []);

test('sections are short, and a message at the end changes only the last one', () => {
  assert.deepEqual(sizes(first), [20, 20, 10]);
  const more = sectionsOf(rows(range(100, 151)), first);
  assert.deepEqual(sizes(more), [20, 20, 11]);
  assert.equal(more[0], first[0]);
  assert.equal(more[1], first[1]);
  assert.equal(more[2]?.key, first[2]?.key);
  assert.equal(sectionsOf(rows(range(100, 150)), first)[2], first[2]);
  const full = sectionsOf(rows(range(100, 161)), first);
  assert.deepEqual(sizes(full), [20, 20, 20, 1]);
});

test('sections are stable when the earliest rows are removed and earlier ones are added', () => {
  const later = sectionsOf(rows(range(105, 150)), first);
  assert.deepEqual(sizes(later), [15, 20, 10]);
  assert.deepEqual(
    later.map(({ key }) => key),
    first.map(({ key }) => key),
  );
  assert.equal(later[1], first[1]);
  // The same rows and more are added again: they form new sections above the existing ones.
  const back = sectionsOf(rows(range(75, 150)), later);
  assert.deepEqual(sizes(back), [20, 10, 15, 20, 10]);
  assert.equal(new Set(back.map(({ key }) => key)).size, back.length);
  assert.deepEqual(back.slice(-2), later.slice(-2));
  assert.equal(back.at(-2), later.at(-2));
});

test('a new section starts with each day', () => {
  const days = sectionsOf(rows(range(0, 10), [4]), []);
  assert.deepEqual(sizes(days), [4, 6]);
  assert.deepEqual(
    days.map(({ day }) => day),
    [DAY, DAY],
  );
  // The first message of the day is deleted, so the day starts with the next one.
  const without = sectionsOf(rows([0, 1, 2, 3, 5, 6, 7, 8, 9], [5]), days);
  assert.equal(without[1]?.key, days[1]?.key);
  assert.equal(without[0], days[0]);
});

test('after any change, each row occurs once, in order, and none moves to another section', () => {
  const change = fc.record({
    kind: fc.constantFrom('end', 'start', 'trim', 'cut', 'delete', 'insert'),
    at: fc.nat(),
    count: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      let here = range(10_000, 10_030);
      let sections = sectionsOf(rows(here), []);
      for (const { kind, at, count } of changes) {
        const place = here.length === 0 ? 0 : at % here.length;
        const known = new Set(here);
        if (kind === 'end')
          here = [...here, ...range((here.at(-1) ?? 0) + 10, (here.at(-1) ?? 0) + 10 + count)];
        else if (kind === 'start') here = [...range((here[0] ?? 50_000) - count, here[0] ?? 50_000), ...here];
        else if (kind === 'trim') here = here.slice(count);
        else if (kind === 'cut') here = here.slice(0, -count);
        else if (kind === 'delete') here = here.filter((_, each) => each !== place);
        else here = [...new Set([...here, (here[place] ?? 0) + 1])].sort((one, other) => one - other);
        const next = sectionsOf(rows(here), sections);
        assert.deepEqual(
          idsOf(next),
          here.map((each) => row(each).id),
        );
        assert.equal(new Set(next.map(({ key }) => key)).size, next.length);
        const [before, after] = [homeOf(sections), homeOf(next)];
        const fresh = here.filter((each) => !known.has(each)).length;
        // Inserting several rows at the end of a full section may split it.
        if (kind !== 'insert')
          for (const [id, key] of after)
            if (before.has(id)) assert.equal(key, before.get(id), `${kind} ${id}`);
        if (kind === 'end' && fresh > 0) {
          const same = next.filter((section) => sections.includes(section)).length;
          assert.ok(same >= sections.length - 1);
          assert.ok(next.slice(sections.length).every(({ rows: inside }) => inside.length <= MOST));
        }
        sections = next;
      }
    }),
    { numRuns: 200 },
  );
});
