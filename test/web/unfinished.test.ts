import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Block, type Inline, parseMessage } from '../../server/src/lib/text/index.ts';
import { completed } from '../../web/features/message/streamed/unfinished.ts';

/** The visible text, with a letter for each kind of mark around it. */
function shown(all: readonly (Block | Inline)[]): string {
  return all
    .map((one) => {
      if (one.type === 'text' || one.type === 'code' || one.type === 'image') return one.text;
      if (one.type === 'codeSpan') return `c(${one.text})`;
      if (one.type === 'list') return one.items.map(({ children }) => `• ${shown(children)}\n`).join('');
      if (one.type === 'table') return one.rows.map((row) => row.map(shown).join('|')).join('\n');
      if (one.type === 'strong') return `b(${shown(one.children)})`;
      if (one.type === 'emphasis') return `i(${shown(one.children)})`;
      if (one.type === 'heading') return `h(${shown(one.children)})\n`;
      if ('children' in one) return shown(one.children);
      return one.type === 'name' ? one.mark + one.name + one.tail : '\n';
    })
    .join('');
}
const look = (text: string): string => shown(parseMessage(completed(text)));

const answers = {
  emphasis: 'The **harbour opens** at *six* and __closes__ at _ten_, ~~never~~ later, ||maybe||.',
  code: 'Run `npm ci` first, then ``a ` b``, and look.',
  links: 'See [the log](https://example.com/log) and ![a map](https://example.com/map.png) for more.',
  fence: 'First:\n\n```js\nconst a = `x`;\nconst b = **2;\n```\n\nThen **go on**.',
  lists: 'Steps:\n\n1. One **bold** step\n2. Two\n\n- a `code` item\n- another\n\nDone.',
  heading: '# Report\n\nThe text.\n\n## Part\n\nMore.',
  names: 'snake_case_names and 2 * 3 * 4 stay, and so does a*b.',
};

for (const [name, text] of Object.entries(answers))
  test(`${name}: no markup flashes, and rendered text stays the same while the rest arrives`, () => {
    const whole = shown(parseMessage(text));
    const letters = (of: string) => of.replaceAll(/[()\s•]/g, '');
    for (let end = 1; end <= text.length; end++) {
      const part = look(text.slice(0, end));
      // Closing marks at the end do not count, because the next text may move them.
      const begun = part.replace(/[)\s]+$/, '');
      assert.ok(
        letters(whole).startsWith(letters(begun)),
        `after ${JSON.stringify(text.slice(0, end))}: ${JSON.stringify(part)}`,
      );
    }
    assert.equal(look(text), whole);
  });

test('a complete text stays unchanged', () => {
  for (const text of ['', 'Plain.', 'A **b** c', '```\na\n```', '\\*not\\* marked', 'a\n\n- b'])
    assert.equal(completed(text), text);
});

test('hostile text takes no longer than other text', () => {
  for (const piece of ['[', '[]', '*', '_a', '`', '``a', '![', '||', '\\', '**a']) {
    const text = piece.repeat(8_000 / piece.length);
    const start = process.cpuUsage();
    completed(text);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 500_000, `${piece}: ${user / 1_000} ms`);
  }
});
