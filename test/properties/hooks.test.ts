// @run sqlite: tests texts before any data is written
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../server/src/errors.ts';
import { contentOf } from '../../server/src/payloads/formats.ts';
import { type Suffix, suffixes } from '../../server/src/payloads/suffixes.ts';
import { alertBodies } from '../support/alertBodies.ts';
import { cardBodies } from '../support/cardBodies.ts';
import { giteaEvents } from '../support/giteaEvents.ts';
import { githubEvents } from '../support/githubEvents.ts';
import { gitlabEvents } from '../support/gitlabEvents.ts';
import { Hook } from '../support/hookPost.ts';
import { moreServiceBodies } from '../support/moreServiceBodies.ts';
import { discordBodies, plainBodies } from '../support/plainBodies.ts';
import type { Recorded } from '../support/recorded.ts';
import { serviceBodies } from '../support/serviceBodies.ts';
import { payloads } from '../support/slackPayloads.ts';
import { World } from '../support/world.ts';

// Sends malformed bodies to incoming webhooks. Any value may be anywhere.

let hook: Hook;
before(async () => {
  hook = await Hook.open(await World.open());
});
after(() => hook.world.close());

const recorded: Pick<Recorded, 'body' | 'headers'>[] = [
  ...[
    ...alertBodies,
    ...giteaEvents,
    ...githubEvents,
    ...gitlabEvents,
    ...discordBodies,
    ...plainBodies,
    ...serviceBodies,
    ...moreServiceBodies,
    ...cardBodies,
  ],
  ...payloads.map(({ body }) => ({ body })),
];
const headers = recorded.flatMap((request) => Object.entries(request.headers ?? {}));
const eventHeaders = headers.filter(([name]) => name.endsWith('-event'));
const objects = recorded.map(({ body }) => body).filter((body): body is object => typeof body === 'object');

/** Every key of a value, at any depth. */
const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)])
    : [];
/** Every text in a value, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : typeof value === 'string'
      ? [value]
      : [];

const keys = [...new Set([...objects.flatMap(keysIn), '__proto__', 'constructor', 'toString', 'valueOf'])];
const texts = [...new Set([...objects.flatMap(textsIn), ...eventHeaders.map(([, event]) => event)])];
const signs = [
  '*',
  '_',
  '~',
  '`',
  '```',
  '<',
  '>',
  '|',
  '&lt;',
  '[',
  ']',
  '(',
  ')',
  '@ada',
  '\n',
  ' ',
  '\\',
  '#',
  '\u200B',
];
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts),
  fc.array(fc.constantFrom(...signs), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
  fc.constantFrom('x'.repeat(9_000), '𝒳<'.repeat(5_000), '\n'.repeat(3_000), '> '.repeat(4_000)),
);
const { anyValue } = fc.letrec<{ anyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    anyText,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300),
    fc.array(tie('anyValue'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys), tie('anyValue'), { maxKeys: 8 }),
    fc.constantFrom(...objects.flatMap((body) => [body, ...Object.values(body)])),
  ),
}));
/** A recorded body with one of its values replaced by any value, or a body of known keys. */
const anyBody = fc.oneof(
  fc.dictionary(fc.constantFrom(...keys), anyValue, { minKeys: 1, maxKeys: 8 }),
  fc
    .tuple(fc.constantFrom(...objects), fc.nat(), anyValue)
    .map(([body, place, value]) => changed(body, place, value)),
);

/** A copy of a body in which a value replaces another one. */
function changed(body: object, place: number, value: unknown): object {
  let left = place % keysIn(body).length;
  const copy = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const entries = Object.entries(inner).map(([key, of]): [string, unknown] =>
      left-- === 0 ? [key, value] : [key, copy(of)],
    );
    return Array.isArray(inner) ? entries.map(([, of]) => of) : Object.fromEntries(entries);
  };
  return copy(body) as object;
}
/** The name of a header, and its value. */
const anyHeader: fc.Arbitrary<[string, string] | null> = fc.option(
  fc.oneof(
    fc.constantFrom(...eventHeaders),
    fc.tuple(fc.constant('x-github-event'), fc.constantFrom(...keys)),
  ),
);
const anySuffix = fc.constantFrom('', '/slack', '/discord', '/github');

/**
 * Throws unless a body yields content that can be posted, or is rejected with a reason. Returns true if it yields
 * content.
 */
function assertTaken(body: object, header: [string, string] | null, suffix: Suffix | undefined): boolean {
  try {
    const content = contentOf(body, header ? Object.fromEntries([header]) : {}, suffix);
    assert.match(content, /[^\s\u200B]/);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_REQUEST') return false;
    throw error;
  }
}

test('any body yields content, or is rejected with a reason', () => {
  let taken = 0;
  const runs = 4_000;
  const of = fc.property(anyBody, anyHeader, fc.constantFrom(undefined, ...suffixes), (...sent) => {
    if (assertTaken(...sent)) taken++;
  });
  fc.assert(of, { numRuns: runs });
  assert.ok(taken > runs / 4, `only ${taken} bodies were accepted`);
});

test('replacing any value with any other causes no failure', () => {
  const values: unknown[] = [null, 0, 'text', true, [], {}, ['text'], [{}], { toString: 0, valueOf: 0 }];
  for (const { body, headers = {} } of recorded) {
    if (typeof body === 'string') continue;
    const header = Object.entries(headers).find(([name]) => name.endsWith('-event')) ?? null;
    for (let place = 0; place < keysIn(body).length; place++)
      for (const value of values) assertTaken(changed(body, place, value), header, undefined);
  }
});

test('any body becomes a message, or is rejected with a reason', async () => {
  await fc.assert(
    fc.asyncProperty(anyBody, anyHeader, anySuffix, async (body, header, suffix) => {
      const { status, text } = await hook.post(body, header ? Object.fromEntries([header]) : {}, suffix);
      if (status === 400) return assert.equal(JSON.parse(text).error.code, 'INVALID_REQUEST');
      assert.equal(status, suffix === '/discord' ? 204 : 200, text);
      const [{ content }] = await hook.messages(1);
      assert.ok([...content].length <= 8000);
      assert.match(content, /[^\s\u200B]/);
    }),
    { numRuns: 200 },
  );
});

test('any text of any media type is accepted or rejected', async () => {
  const types = [
    'text/plain',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'image/png',
    '',
  ];
  const anyRaw: fc.Arbitrary<string> = fc.oneof(
    anyText,
    fc.constantFrom(...objects).map((body) => JSON.stringify(body)),
    fc
      .tuple(fc.constantFrom('payload', 'payload_json', 'text', 'message'), anyText)
      .map(([field, text]) => `${field}=${text}`),
    anyText.map(
      (text) => `--x\r\nContent-Disposition: form-data; name="message"\r\n\r\n${text}\r\n--x--\r\n`,
    ),
  );
  await fc.assert(
    fc.asyncProperty(anyRaw, fc.constantFrom(...types), anySuffix, async (raw, type, suffix) => {
      const { status, text } = await hook.post(raw, { 'content-type': type }, suffix);
      assert.ok([200, 204, 400].includes(status), text);
    }),
    { numRuns: 200 },
  );
});

/** Texts that would take very long if the time were not linear in their length. */
const units = [
  '*a ',
  '(*',
  '_a',
  '<a|',
  '` ',
  '&amp;',
  '   ',
  '\n>',
  '[',
  '-',
  '\\',
  'https://',
  '~a ',
  '*_~`<',
  '@a',
  '\n',
  '<!--',
  '1. ',
  '<@1',
  '![',
  '](',
  '<t:1',
];
const LENGTH = 128_000;
/**
 * The maximum CPU time, in ms. Quadratic time would exceed it for such a body; linear time takes a few milliseconds.
 */
const MAX_MS = 5_000;

/** The text as many elements, each styled differently from the previous one. */
const inParts = (text: string): object[] =>
  Array.from({ length: 1_200 }, (_, index) => ({
    type: 'text',
    text: text.slice(index * 100, (index + 1) * 100),
    style: index % 2 ? { bold: true } : { italic: true },
  }));

test('the time for a body is linear in its length', () => {
  const shapes: ((text: string) => object)[] = [
    (text) => ({ text }),
    (text) => ({ content: text }),
    (text) => ({ message: 'x', title: text }),
    (text) => ({ blocks: [{ type: 'section', text: { type: 'plain_text', text } }] }),
    (text) => ({
      blocks: [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text, style: { bold: true } }] }],
        },
      ],
    }),
    (text) => ({ blocks: [{ type: 'rich_text', elements: [{ elements: inParts(text) }] }] }),
    (text) => ({ attachments: [{ title: text, title_link: `https://example.com/${text.slice(0, 9_000)}` }] }),
    (text) => ({ action: 'opened', issue: { title: text, body: text }, repository: { full_name: text } }),
    (text) => ({ status: text, alerts: [{ annotations: { summary: text } }] }),
  ];
  for (const unit of units) {
    const text = `x${unit.repeat(LENGTH / unit.length)}x`;
    for (const shape of shapes) {
      const start = process.cpuUsage();
      try {
        contentOf(shape(text), {}, undefined);
      } catch (error) {
        assert.ok(error instanceof ApiError, `${unit}: ${(error as Error).stack}`);
      }
      const { user } = process.cpuUsage(start);
      assert.ok(user / 1000 < MAX_MS, `${JSON.stringify(unit)} took ${user / 1000} ms`);
    }
  }
});
