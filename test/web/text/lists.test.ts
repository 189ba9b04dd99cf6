import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstLine, foundText, lineText } from '../../../server/src/lib/text/index.ts';
import { searchText } from '../../../server/src/lib/text/indexed.ts';

test('plain texts contain the numbers of lists, as the page does', () => {
  for (const [content, text] of [
    ['3. Mai ist frei', '3. Mai ist frei'],
    ['420. hope\n4. near', '420. hope\n421. near'],
    ['0) a\n   - b\n   - c\n1) d', '0. a\nb\nc\n1. d'],
    ['> 7. 8. a\n>    9. b', '7. 8. a\n9. b'],
    ['1. [x] done\n2. [ ] open\n3. third', 'done\nopen\n3. third'],
    ['42.', '42.'],
  ] as const) {
    assert.equal(searchText(content), text, content);
    assert.equal(foundText(content), text.replaceAll('\n', ' '), content);
    assert.equal(lineText(content), text.replaceAll('\n', ' '), content);
    assert.equal(firstLine(content), text.split('\n')[0], content);
  }
});
