// @run sqlite: reads archives, without an engine
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ImportRow } from '../../server/src/imports/row.ts';
import { tarred } from '../support/archives.ts';
import { countsIn, missingIn, ofKind, readDamaged, rowsOf, textsIn } from '../support/imported.ts';
import { rocketchatDocuments, rocketchatJson, rocketchatSample } from '../support/rocketchatSample.ts';

let rows: ImportRow[];
before(async () => {
  rows = await rowsOf('rocketchat', rocketchatSample);
});

test('every message is imported or reported as lost', () => {
  const documents = rocketchatDocuments.rocketchat_message ?? [];
  const messages = documents.filter(
    ({ t, _hidden }) => !['uj', 'rm'].includes(String(t)) && _hidden !== true,
  );
  const counts = countsIn(rows);
  const missing = missingIn(rows);
  assert.equal((counts.messages ?? 0) + missing.sumOfLost, messages.length);
  assert.equal(missing.sumOfOmitted, documents.length - messages.length);
  assert.deepEqual(missing.omitted, {
    'only says that somebody joined or left': 1,
    'was deleted in Rocket.Chat': 1,
    'is an earlier version of a message': 1,
  });
  assert.equal(counts.replies, messages.filter(({ tmid }) => tmid !== undefined).length);
  assert.deepEqual(counts, {
    people: 4,
    channels: 2,
    conversations: 1,
    messages: 9,
    threads: 2,
    replies: 2,
    reactions: 3,
    pins: 1,
    files: 2,
    emoji: 1,
    lost: 5,
  });
});

test('BSON and JSON, in a folder and in a tar.gz, produce the same rows', async () => {
  assert.equal(JSON.stringify(await rowsOf('rocketchat', rocketchatJson)), JSON.stringify(rows));
  assert.equal(JSON.stringify(await rowsOf('rocketchat', tarred(rocketchatSample))), JSON.stringify(rows));
});

test('threads are attached to their root messages, which may come later or be deleted', () => {
  const messages = ofKind(rows, 'message');
  const threads = ofKind(rows, 'thread').map(({ id, messageId }) => [
    messages.find((message) => message.id === messageId)?.content.slice(0, 5) ?? null,
    messages.filter(({ threadId }) => threadId === id).map(({ content }) => content),
  ]);
  assert.deepEqual(threads, [
    ['Hello', ['in the thread']],
    [null, ['under a removed message']],
  ]);
});

test('people, rooms, texts, files and reactions are kept', () => {
  assert.deepEqual(
    ofKind(rows, 'person').map(({ username, type, email, isMember }) => [username, type, email, isMember]),
    [
      ['ada', 'person', 'ada@example.com', true],
      ['bo.b', 'person', undefined, false],
      ['rocket.cat', 'agent', undefined, true],
      ['gone', 'person', undefined, false],
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
      ['Secret', true, 1, true],
    ],
  );
  const texts = textsIn(rows);
  assert.ok(texts.includes('Hello @bo.b, see #general **now** `@bo.b` 🎉 :pirate:'), texts.join('\n'));
  assert.ok(texts.includes('@ada changed the topic to ships'));
  assert.ok(texts.includes('> Hello\n\nyes'));
  assert.ok(texts.includes('the plan'));
  const hello = ofKind(rows, 'message').find(({ content }) => content.startsWith('Hello'));
  assert.deepEqual(
    [hello?.createdAt, hello?.editedAt, hello?.pin?.createdAt],
    [1_600_000_002_000, 1_600_000_090_000, 1_600_000_091_000],
  );
  assert.deepEqual(
    hello?.reactions.map(({ emoji, userId }) => [emoji, userId !== null]),
    [
      ['👍', true],
      ['👍', true],
      [':pirate:', true],
    ],
  );
  const files = ofKind(rows, 'message').flatMap((message) => message.files);
  assert.deepEqual(
    files.map(({ name, path }) => [name, path]),
    [
      ['plan.txt', 'dump/rocketchat/uploads/f1'],
      ['absent.png', null],
    ],
  );
});

test('damaged archives are refused or read, and never crash', async () => {
  await readDamaged('rocketchat', rocketchatSample, 63);
  await readDamaged('rocketchat', rocketchatJson, 42);
});
