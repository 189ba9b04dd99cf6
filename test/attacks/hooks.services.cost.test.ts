// @run sqlite: tests the conversion of bodies, which reads no data
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receivedOf, requireSound } from '../../server/src/http/hooks/bodies.ts';
import { contentOf } from '../../server/src/payloads/formats.ts';
import { cardBodies } from '../support/cardBodies.ts';
import { assertQuick } from '../support/cost.ts';
import { moreServiceBodies } from '../support/moreServiceBodies.ts';
import type { Recorded } from '../support/recorded.ts';
import { serviceBodies } from '../support/serviceBodies.ts';

// A body from every service, each as large as a body may be.

const MEBIBYTE = 1024 * 1024;

const signs = ['&', '*a ', '[x](', '`', '\n> ', '<b ', '@a ', '<!--', '&amp;', '\\', ' ', '\n', '1'];

/** Fields that identify the kind of body. Their values are left unchanged. */
const kinds = new Set([
  'type',
  '@type',
  'Type',
  'webhookEvent',
  'event_type',
  'eventType',
  'publisherId',
  'specversion',
]);

/** A copy of a value in which `change` has replaced the texts. */
function withTexts(value: unknown, change: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return kinds.has(key) ? value : change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => withTexts(inner, change));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withTexts(inner, change, name)]),
  );
}

/** Copies of a value, each with one of its lists repeated until it fills a body of the maximum size. */
function withLongLists(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const copies = Object.entries(value).flatMap(([name, inner]) =>
    withLongLists(inner).map((copy) =>
      Array.isArray(value)
        ? value.with(Number(name), copy)
        : Object.fromEntries(Object.entries(value).map(([key, of]) => [key, key === name ? copy : of])),
    ),
  );
  if (!Array.isArray(value) || value.length === 0) return copies;
  const times = Math.floor(MEBIBYTE / JSON.stringify(value).length);
  return [...copies, Array.from({ length: times }, () => value).flat()];
}

/** Returns a function that converts a body, or rejects it. */
const convert = (body: unknown, headers: Recorded['headers']) => (): void => {
  try {
    contentOf(body, headers ?? {}, undefined);
  } catch {
    // A body without content is rejected.
  }
};

const parsed = ({ body }: Recorded): object =>
  typeof body !== 'string' ? body : body.startsWith('{') ? JSON.parse(body) : { body };

for (const recorded of [...serviceBodies, ...moreServiceBodies, ...cardBodies]) {
  const { from, headers } = recorded;
  test(`the body of ${from} is converted in a few milliseconds, regardless of its content`, async () => {
    const body = parsed(recorded);
    let texts = 0;
    withTexts(body, (text) => {
      texts++;
      return text;
    });
    for (const sign of signs) {
      const piece = sign.repeat(MEBIBYTE / Math.max(1, texts) / sign.length);
      const filled = withTexts(body, (text) => (/^https?:/.test(text) ? `https://${piece}` : piece));
      await assertQuick(JSON.stringify(sign), convert(filled, headers));
    }
    for (const filled of withLongLists(body)) await assertQuick('a long list', convert(filled, headers));
  });
}

test('a body with as many names, escapes or levels as possible is parsed and validated in a few milliseconds', async () => {
  const many = (count: number, of: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => of(index));
  const bodies = {
    names: `{${many(5_000, (index) => `"a rather long name, for a field, ${index}":0`).join(',')}}`,
    fields: `[${many(14_900, () => '{"a":1,"b":2,"c":3,"d":"a long text"}').join(',')}]`,
    objects: `[${many(14_900, (index) => `{"${index % 4_500}":0, "text":"a longer text"}`).join(',')}]`,
    lists: `[${many(14_900, () => '[]').join(',')},${many(400_000, () => '1').join(',')}]`,
    escapes: `{"text":"${'\\ud83d\\ude00'.repeat(87_000)}"}`,
    numbers: `[${many(13_000, () => '1234567890123456789').join(',')}]`,
  };
  for (const [what, body] of Object.entries(bodies)) {
    const bytes = Buffer.from(body);
    assert.ok(bytes.length <= MEBIBYTE, what);
    let payload: unknown;
    await assertQuick(`parsing ${what}`, async () => {
      ({ payload } = await receivedOf({ 'content-type': 'application/json' }, bytes));
    });
    await assertQuick(what, () => requireSound(payload));
  }
  const more: [body: string, message: RegExp][] = [
    [`{${many(60_000, (index) => `"${index}":0`).join(',')}}`, /at most 5000 distinct field names/],
    [`[${many(340_000, () => '[]').join(',')}]`, /at most 15000 objects and arrays/],
    [`{${many(170_000, () => '"a":1').join(',')}}`, /at most 80000 fields/],
  ];
  for (const [body, message] of more) {
    const bytes = Buffer.from(body);
    assert.ok(bytes.length <= MEBIBYTE && bytes.length > 256 * 1024, String(message));
    await assert.rejects(receivedOf({ 'content-type': 'application/json' }, bytes), message);
  }
});
