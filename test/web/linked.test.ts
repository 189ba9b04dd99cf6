import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwardedText, matching } from '../../web/features/message/forwarded.ts';
import { linksIn } from '../../web/features/message/linked/linksIn.ts';

const SITE = 'https://chat.example';
const link = (id: string) => `${SITE}/m/${id}`;
const refOf = (url: string) => {
  const messageId = url.startsWith(link('')) ? url.slice(link('').length) : undefined;
  return messageId === undefined ? undefined : { serverId: 'server', messageId };
};
const idsIn = (content: string) => linksIn(content, refOf).map(({ messageId }) => messageId);

test('the links to messages in a text are found, each once', () => {
  assert.deepEqual(linksIn(`See ${link('one')}.`, refOf), [{ serverId: 'server', messageId: 'one' }]);
  assert.deepEqual(idsIn(`[here](${link('one')}) **${link('two')}** ${link('one')}`), ['one', 'two']);
  assert.deepEqual(idsIn(`- ${link('one')}\n- ${link('two')}`), ['one', 'two']);
});

test('at most three messages are previewed', () => {
  assert.deepEqual(idsIn(['1', '2', '3', '4'].map((id) => link(id)).join(' ')), ['1', '2', '3']);
});

test('other links, spoilers, quotes and code have no preview', () => {
  for (const content of [
    'https://other.example/m/one',
    `||${link('one')}||`,
    `> ${link('one')}`,
    `\`${link('one')}\``,
    `\`\`\`\n${link('one')}\n\`\`\``,
  ])
    assert.deepEqual(idsIn(content), [], content);
});

test('places are found by part of their name, ignoring case, with prefix matches first', () => {
  const all = ['#design-team', '#Team', 'Élodie', '#general'].map((name) => ({ name }));
  const found = (typed: string) => matching(all, typed).map(({ name }) => name);
  assert.deepEqual(found('team'), ['#Team', '#design-team']);
  assert.deepEqual(found('#TEAM'), ['#Team', '#design-team']);
  assert.deepEqual(found('elo'), ['Élodie']);
  assert.deepEqual(found(''), ['#design-team', '#Team', 'Élodie', '#general']);
});

test('a forwarded message consists of the comment and the link', () => {
  assert.equal(forwardedText(' Look \n', 'https://x'), 'Look\n\nhttps://x');
  assert.equal(forwardedText('  ', 'https://x'), 'https://x');
});
