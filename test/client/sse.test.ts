import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Block, eventStreamParser } from '../../client/src/sse.ts';

const parse = (...pieces: string[]): Block[] => {
  const next = eventStreamParser();
  return pieces.flatMap((piece) => next(piece));
};

const rows: [name: string, text: string, blocks: Partial<Block>[]][] = [
  ['an event with an id', 'id: 1\ndata: a\n\n', [{ id: '1', event: '', data: 'a' }]],
  [
    'an id also applies to later events without one',
    'id: 1\ndata: a\n\ndata: b\n\n',
    [{ id: '1' }, { id: '1', data: 'b' }],
  ],
  ['only an id', 'id: 7\n\n', [{ id: '7', data: undefined }]],
  [
    'a name applies only to its event',
    'event: reset\ndata: a\n\ndata: b\n\n',
    [{ event: 'reset' }, { event: '' }],
  ],
  ['data on several lines', 'data: a\ndata:b\ndata\ndata:  c\n\n', [{ data: 'a\nb\n\n c' }]],
  ['comments and heartbeats yield nothing', ': \n\n: hello\nretry: 1000\n\n', []],
  ['an incomplete block yields nothing', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
  [
    'all line endings',
    'data: a\r\rdata: b\r\n\r\ndata: c\n\n',
    [{ data: 'a' }, { data: 'b' }, { data: 'c' }],
  ],
  ['an id with a null character is ignored', 'id: 1\0\ndata: a\n\n', [{ id: undefined, data: 'a' }]],
  ['data may contain colons', 'data: {"a":"b:c"}\n\n', [{ data: '{"a":"b:c"}' }]],
];

for (const [name, text, blocks] of rows) {
  test(`event streams: ${name}`, () => {
    assert.equal(parse(text).length, blocks.length);
    assert.partialDeepStrictEqual(parse(text), blocks);
  });
}

test('event streams can be split into chunks anywhere', () => {
  const line = fc.constantFrom('id: 1', 'id: 2', 'data: ä€😀', 'data:', ': x', 'event: e', '', '', '');
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 });
  const cuts = fc.array(fc.nat(400), { maxLength: 20 });
  fc.assert(
    fc.property(lines, cuts, (parts, places) => {
      const bytes = new TextEncoder().encode(parts.flat().join(''));
      const decoder = new TextDecoder();
      const ends = [...places.sort((a, b) => a - b), bytes.length];
      const pieces = ends.map((end, index) =>
        decoder.decode(bytes.subarray(ends[index - 1] ?? 0, end), { stream: true }),
      );
      assert.deepEqual(parse(...pieces), parse(parts.flat().join('')));
    }),
  );
});
