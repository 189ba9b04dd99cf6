/** `!` marks a required field, and `?` a field that null clears. */
type Declared = FieldKind | `${FieldKind}!` | `${FieldKind}?`;

export type BodyFields = Record<string, Declared>;

/** The fields of a body, each with its kind and whether it is required or can be cleared. */
export const fieldsOf = (fields: BodyFields) =>
  Object.entries(fields).map(([name, declared]) => ({
    name,
    kind: declared.replace(/[!?]$/, '') as FieldKind,
    required: declared.endsWith('!'),
    nullable: declared.endsWith('?'),
  }));

/** Characters outside the Basic Multilingual Plane: each is one code point, two UTF-16 code units and four bytes. */
const wide = (count: number): string => '𝒳'.repeat(count);
const url = (length: number): string => 'https://example.com/'.padEnd(length, 'x');

const noText = [5, 0, true, [], ['x'], {}];
const noFlag = ['true', 'false', 1, 0, '', [], {}];
const noNumber = ['5', '', true, [], {}];

/** Strings without a visible character. */
export const blank = [' ', '\u200b', '\u00ad', '\u2800', '\u3164', '\ufeff\u2060 \u200d'];
/** Names that look like other names, or change the text around them. */
export const hostileNames = [
  'a\u202eb',
  '\u2066a',
  'a\u200bb',
  'a\u00adb',
  'a\u3164',
  'a\nb',
  'a\u2028b',
  'a\u0007b',
  'a\u200db',
  'a\u200c',
  'a\ufe0fb',
  'a\u{e0062}',
  '\u0301a',
  `e${'\u0323'.repeat(90)}`,
];

interface Values {
  good: readonly unknown[];
  bad: readonly unknown[];
}

const kinds = {
  name: {
    good: ['a', wide(100)],
    bad: [...noText, '', 'x'.repeat(101), wide(101), ...blank, ...hostileNames],
  },
  content: {
    good: ['a', wide(8000), ' a '],
    bad: [...noText, '', ...blank, ' \t\r\n\u00a0\u2003', 'x'.repeat(8001), wide(8001)],
  },
  longText: { good: ['', 'a', wide(4000)], bad: [...noText, 'x'.repeat(4001), wide(4001)] },
  text: { good: ['a', 'Grüße 👋'], bad: noText },
  eventId: { good: [], bad: noText },
  label: { good: ['a', wide(32)], bad: [...noText, '', ...blank, 'x'.repeat(33), wide(33)] },
  // Only agents may set this field.
  activity: { good: [], bad: [...noText, 'x'.repeat(81), wide(81)] },
  // The offset at which text is appended: the length of the existing text.
  place: { good: [5], bad: [...noNumber, -1, 1.5] },
  piece: { good: ['', 'a', wide(7_990)], bad: [...noText, 'x'.repeat(8001), wide(8001)] },
  emoji: { good: ['👍', '👩‍👩‍👧‍👦', 'party_parrot'], bad: [...noText, '', ...blank] },
  url: {
    good: ['http://example.com', 'https://example.com/a?b=c#d', url(2048)],
    bad: [
      ...noText,
      '',
      'example.com/a.png',
      '/a.png',
      'http://',
      'ftp://example.com/a',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      'file:///etc/passwd',
      url(2049),
    ],
  },
  flag: { good: [true, false], bad: noFlag },
  // Triggers an action, and is not stored in the record.
  action: { good: [true, false], bad: noFlag },
  readers: { good: ['everyone', 'moderators'], bad: [...noText, '', 'nobody'] },
  tint: { good: [0, 16_777_215], bad: [...noNumber, -1, 16_777_216, 0.5] },
  whole: { good: [0, 7], bad: [...noNumber, 1.5] },
  uses: { good: [1, 25], bad: [...noNumber, 0, -1, 1.5] },
  number: { good: [0, 12], bad: noNumber },
  time: { good: [4_000_000_000_000], bad: [...noNumber, -1, 1.5, '2026-01-01T00:00:00Z', 1_800_000_000] },
  seconds: { good: [0, 86_400, 2_592_000], bad: [...noNumber, -1, 1.5, 2_592_001, null] },
  slow: { good: [0, 21_600], bad: [...noNumber, -1, 1.5, 21_601, null] },
  // At most 28 days ahead. A time in the past sets no time-out.
  timeout: { good: [1_700_000_000_000], bad: [...noNumber, -1, 1.5, 1_800_000_000, 4_000_000_000_000] },
  days: { good: [1, 36_500], bad: [...noNumber, 0, -1, 1.5, 36_501] },
  pattern: {
    good: ['zzyzx', '*zzyzx*', 'Zzyzx Über*', wide(100)],
    bad: [...noText, '', ' ', '*', '!?', 'zzyzx *', '* zzyzx', 'x'.repeat(101)],
  },
  wordAction: { good: ['hold', 'refuse'], bad: [...noText, '', 'HOLD', 'delete'] },
  reference: { good: [], bad: [5, 0, true, [], {}] },
  references: { good: [[]], bad: ['x', 5, true, {}, [5], [null], [{}]] },
  strings: { good: [[], ['a', 'b']], bad: ['a', 5, true, {}, [5], [null], [['a']]] },
  kind: { good: [], bad: [...noText, '', 'APIKEY', 'apikey', 'key'] },
  reason: { good: ['a', wide(1000)], bad: [...noText, '', ...blank, 'x'.repeat(1001), wide(1001)] },
  closing: { good: ['resolved', 'dismissed'], bad: [...noText, '', 'open', 'RESOLVED'] },
  types: {
    good: [['message.created'], ['message.*', 'channel.created']],
    bad: [
      'message.*',
      5,
      true,
      {},
      [],
      [5],
      [''],
      ['*'],
      ['message'],
      ['message.'],
      ['indicator.*'],
      ['message.sent'],
    ],
  },
  receiver: {
    good: ['http://example.com', 'https://example.com/a?b=c#d', 'https://93.184.216.34:8443/', url(2048)],
    bad: [
      ...noText,
      '',
      'example.com/a',
      'ftp://example.com/a',
      url(2049),
      'https://user:word@example.com/',
      'http://localhost/',
      'http://127.0.0.1/',
      'http://10.1.2.3/',
      'http://[::1]/',
    ],
  },
  template: {
    good: ['{{a}}', '**{{a.b[0].c}}** {{a.0}}', 'plain', wide(4000)],
    bad: [
      ...noText,
      '',
      ' ',
      '{{a',
      'a}}',
      '{{}}',
      '{{#if a}}',
      '{{a + b}}',
      '{{a.}}',
      '{{{a}}}',
      wide(4001),
    ],
  },
  cursor: { good: [], bad: [...noText, '', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA', 'x'.repeat(101)] },
  trigger: {
    good: [
      { on: 'manual' },
      { on: 'hook' },
      {
        on: 'event',
        type: 'message.created',
        where: { not: { path: 'event.data.content', matches: '^a+$' } },
      },
      { on: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    ],
    bad: [5, 'manual', [], {}, { on: 'join' }, { on: 'event', type: 'user.created' }, { on: 'schedule' }],
  },
  steps: {
    good: [[], [{ do: 'wait', seconds: 5 }], [{ do: 'if', where: { path: 'input.a', isEmpty: true } }]],
    bad: [5, 'set', {}, [5], [{}], [{ do: 'fly' }], [{ do: 'wait' }], [{ do: 'set', values: 5 }]],
  },
  hosts: {
    good: [['api.example.com'], ['*.example.com', '203.0.113.7']],
    bad: [
      5,
      'a',
      {},
      [],
      [5],
      [''],
      ['https://example.com'],
      ['a.com:80'],
      ['A.com'],
      ['a..com'],
      ['x'.repeat(254)],
    ],
  },
  object: { good: [{}, { a: { b: [1, 'c', null] } }], bad: [] },
  // Only agents send blocks: see spec/blocks.
  blocks: {
    good: [[]],
    bad: ['x', 5, true, {}, [5], [null], [{}], [{ type: 'script' }], [{ type: 'section', text: 5 }]],
  },
  command: {
    good: ['a', 'deploy', '東京_1-2', 'x'.repeat(32)],
    bad: [...noText, '', 'x'.repeat(33), '/deploy', 'a b', 'a.b', ...blank, ...hostileNames],
  },
  short: { good: ['', 'a', wide(100)], bad: [...noText, 'x'.repeat(101), 'a\nb', '\u202ea'] },
  options: {
    good: [[], [{ name: 'service', type: 'choice', choices: ['web'], required: true }]],
    bad: [
      'x',
      5,
      true,
      {},
      [5],
      [null],
      [{}],
      [{ name: 'a', type: 'list' }],
      [{ name: 'A b', type: 'text' }],
      [{ name: 'a', type: 'choice' }],
      [{ name: 'a', type: 'text', choices: ['a'] }],
      Array.from({ length: 11 }, (_, index) => ({ name: `a${index}`, type: 'text' })),
    ],
  },
  // An id or a value that an agent chose.
  own: { good: [], bad: [...noText, '', 'none', 'x'.repeat(65)] },
  // The values of options or fields by name.
  values: { good: [{}], bad: [5, true, 'a', ['a'], { a: 1 }] },
  anything: { good: [5, true, 'a', ['a'], { a: 1 }], bad: [] },
} satisfies Record<string, Values>;

/** Kinds of values in a body (decisions, parts 2 and 3). */
export type FieldKind = keyof typeof kinds;

/** Values just inside and just outside the bounds of each kind. */
export const valuesOf: Record<FieldKind, Values> = kinds;

/** Values for updates. With the first valid value, the change would not be visible. */
const samples: Partial<Record<FieldKind, unknown>> = {
  name: 'Renamed',
  content: 'Changed',
  longText: 'Long',
  text: 'text',
  url: 'https://example.com/a.png',
  flag: true,
  readers: 'everyone',
  tint: 255,
  whole: 9,
  number: 4,
  time: 1_700_000_000_000,
  slow: 30,
  pattern: 'zzyzx over',
  wordAction: 'refuse',
  references: [],
  closing: 'dismissed',
  types: ['message.*'],
  receiver: 'https://example.com/elsewhere',
  template: '{{state}}',
  trigger: { on: 'manual' },
  steps: [],
  command: 'renamed',
  short: 'Short',
  options: [{ name: 'service', description: '', type: 'text', required: false }],
  anything: { any: ['thing'] },
};

/** A value of this kind that an update writes. */
export const sampleOf = (kind: FieldKind): unknown => samples[kind] ?? valuesOf[kind].good[0];
