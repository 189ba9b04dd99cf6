import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qrCodeOf } from '../../../web/ui/qr.ts';

const drawn = (text: string): string =>
  qrCodeOf(text)
    .map((row) => row.map((dark) => (dark ? '#' : '.')).join(''))
    .join('\n');

test('a code has the size of its version, the finder patterns, and the dark module', () => {
  for (const [bytes, version] of [
    [1, 1],
    [14, 1],
    [15, 2],
    [62, 4],
    [106, 6],
    [122, 7],
    [180, 9],
    [213, 10],
  ] as const) {
    const code = qrCodeOf('x'.repeat(bytes));
    const size = version * 4 + 17;
    assert.deepEqual([code.length, code[0]?.length], [size, size], String(bytes));
    for (const [x, y] of [
      [0, 0],
      [size - 7, 0],
      [0, size - 7],
    ] as const) {
      const edge = Array.from({ length: 7 }, (_, at) => code[y]?.[x + at]);
      assert.deepEqual(edge, Array(7).fill(true));
      assert.equal(code[y + 1]?.[x + 1], false);
      assert.equal(code[y + 3]?.[x + 3], true);
    }
    assert.equal(code[size - 8]?.[8], true);
  }
  assert.throws(() => qrCodeOf('x'.repeat(2_332)));
});

// jsQR 1.4 has decoded links and non-ASCII texts of all lengths up to 213. The test compares the hashes of two such codes.
test('codes equal ones that a QR code reader has decoded', () => {
  const digest = (text: string) => createHash('sha256').update(drawn(text)).digest('hex').slice(0, 16);
  assert.equal(
    digest('https://chat.example.com/invite/019ca6b1-dc00-74b1-868d-88dc872a7753'),
    '5e0a76c459e28ddd',
  );
  assert.equal(digest('ü'.repeat(100)), '4f79a1595934bd81');
});
