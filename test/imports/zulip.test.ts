// @run sqlite: reads archives, without an engine
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ImportRow } from '../../server/src/imports/row.ts';
import { tarred } from '../support/archives.ts';
import { countsIn, missingIn, ofKind, readDamaged, rowsOf, textsIn } from '../support/imported.ts';
import { zulipMessages, zulipSample } from '../support/zulipSample.ts';

let rows: ImportRow[];
before(async () => {
  rows = await rowsOf('zulip', zulipSample);
});

test('every message is imported or reported as lost', () => {
  const counts = countsIn(rows);
  assert.equal((counts.messages ?? 0) + missingIn(rows).sumOfLost, zulipMessages.flat().length);
  assert.deepEqual(counts, {
    people: 4,
    channels: 2,
    conversations: 2,
    messages: 8,
    threads: 3,
    replies: 4,
    reactions: 3,
    pins: 0,
    files: 2,
    emoji: 1,
    lost: 5,
  });
  assert.deepEqual(
    ofKind(rows, 'lost').map(({ kind, reason, count }) => [kind, reason, count]),
    [
      ['emoji', 'is deactivated in Zulip', 1],
      ['conversations', 'has fewer than two members', 1],
      ['messages', 'is not in a channel, or is a message to oneself', 2],
      ['messages', 'has no author', 1],
      ['replies', 'has no author', 1],
    ],
  );
});

test('a tar.gz produces the same rows', async () => {
  const inner = Object.fromEntries(
    Object.entries(zulipSample).map(([path, content]) => [`zulip-export/${path}`, content]),
  );
  const found = JSON.stringify(await rowsOf('zulip', tarred(inner), 'export.tar.gz'));
  assert.equal(found.replaceAll('zulip-export/', ''), JSON.stringify(rows));
});

test('topics become threads with the same name, and messages without one are in the channel', () => {
  const messages = ofKind(rows, 'message');
  assert.deepEqual(
    ofKind(rows, 'thread').map(({ id, name, messageId }) => [
      name,
      messageId,
      messages.filter(({ threadId }) => threadId === id).length,
    ]),
    [
      ['Sails', null, 2],
      ['Anchors', null, 1],
      ['Hidden', null, 1],
    ],
  );
  assert.equal(messages.find(({ content }) => content === 'no topic')?.threadId, null);
});

test('people, channels and conversations come from the tables', () => {
  assert.deepEqual(
    ofKind(rows, 'person').map(({ username, name, type, isMember }) => [username, name, type, isMember]),
    [
      ['ada', 'Ada Lee', 'person', true],
      ['bo', 'Bo', 'person', false],
      ['build', 'Build', 'agent', true],
      ['notification', 'Notification Bot', 'agent', false],
    ],
  );
  assert.deepEqual(
    ofKind(rows, 'channel').map(({ name, private: isPrivate, memberIds, readonly }) => [
      name,
      isPrivate,
      memberIds.length,
      readonly,
    ]),
    [
      ['general', false, 0, false],
      ['secret', true, 1, true],
    ],
  );
  const direct = ofKind(rows, 'message').filter(({ content }) => content.startsWith('direct'));
  assert.equal(direct[0]?.channelId, direct[1]?.channelId);
});

test('texts, times, reactions and files are kept', () => {
  const texts = textsIn(rows);
  assert.ok(texts.includes('Hello @bo, see #general > Sails and `@**Bo**` 🎉'));
  assert.ok(texts.includes('> @ada wrote\n\nyes'));
  assert.ok(texts.includes('see  and this'));
  assert.ok(texts.includes('```js\nlet a = 1;\n```'));
  assert.ok(texts.includes('secret 2026-01-02T10:00:00Z'));
  const [hello] = ofKind(rows, 'message');
  assert.deepEqual([hello?.createdAt, hello?.editedAt], [1_600_000_101_250, 1_600_000_500_500]);
  assert.deepEqual(
    hello?.reactions.map(({ emoji, userId }) => [emoji, userId !== null]),
    [
      ['👍', true],
      [':pirate:', true],
      ['🇺🇸', false],
    ],
  );
  const files = ofKind(rows, 'message').flatMap((message) => message.files);
  assert.deepEqual(
    files.map(({ name, path }) => [name, path]),
    [
      ['plan.txt', 'uploads/2/ab/c d/plan.txt'],
      ['absent.png', null],
    ],
  );
});

test('damaged archives are refused or read, and never crash', () => readDamaged('zulip', zulipSample, 42));
