// @run sqlite: reads archives, without an engine
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ImportRow } from '../../server/src/imports/row.ts';
import { zipped } from '../support/archives.ts';
import { countsIn, missingIn, ofKind, readDamaged, rowsOf, textsIn } from '../support/imported.ts';
import { slackSample } from '../support/slackSample.ts';

let rows: ImportRow[];
before(async () => {
  rows = await rowsOf('slack', slackSample);
});

/** Counts the messages in the files themselves. */
function countedMessages(): { messages: number; omitted: number; replies: number; reactions: number } {
  const none = ['channel_join', 'tombstone'];
  const entries = Object.entries(slackSample)
    .filter(([path]) => /\d{4}-\d\d-\d\d\.json$/.test(path))
    .flatMap(([, content]) => JSON.parse(String(content)));
  const messages = entries.filter(({ subtype }) => !none.includes(subtype));
  return {
    messages: messages.length,
    omitted: entries.length - messages.length,
    replies: messages.filter(({ ts, thread_ts }) => thread_ts !== undefined && thread_ts !== ts).length,
    reactions: messages
      .flatMap(({ reactions }) => reactions ?? [])
      .reduce((sum: number, { count }: { count: number }) => sum + count, 0),
  };
}

test('every message is imported or reported as lost', () => {
  const counts = countsIn(rows);
  const counted = countedMessages();
  const missing = missingIn(rows);
  assert.equal((counts.messages ?? 0) + missing.sumOfLost, counted.messages);
  assert.equal(counts.replies, counted.replies);
  assert.equal(counts.reactions, counted.reactions);
  assert.deepEqual(counts, {
    people: 5,
    channels: 3,
    conversations: 2,
    messages: 15,
    threads: 3,
    replies: 4,
    reactions: 9,
    pins: 2,
    files: 3,
    emoji: 0,
    lost: 7,
  });
  assert.deepEqual(missing.lost, {
    'has no author': 1,
    'is in a conversation with fewer than two members': 1,
    'is in a folder that belongs to no channel': 1,
  });
  assert.deepEqual(missing.omitted, {
    'only says that somebody joined or left': 1,
    'was deleted in Slack': 1,
  });
  assert.equal(missing.sumOfOmitted, counted.omitted);
});

test('the reactions and files of a lost or omitted message are reported, too', async () => {
  const reactions = [{ name: 'wave', users: ['U1', 'U1', 'U2'], count: 5 }];
  const post = { type: 'message', user: 'U1', text: 'Hello', reactions, files: [{ id: 'F1' }] };
  const found = await rowsOf('slack', {
    'users.json': '[]',
    'channels.json': '[{"id":"C1","name":"pier"}]',
    'stray/2026-01-02.json': JSON.stringify([{ ...post, ts: '1767312000.1', thread_ts: '1767311000.1' }]),
    'pier/2026-01-02.json': JSON.stringify([{ ...post, subtype: 'channel_join', ts: '1767312000.2' }]),
  });
  const joined = 'only says that somebody joined or left';
  const stray = 'is in a folder that belongs to no channel';
  assert.deepEqual(
    ofKind(found, 'lost').map(({ kind, reason, count, isKept = false }) => [kind, reason, count, isKept]),
    [
      ['messages', joined, 1, true],
      ['reactions', 'its message was not imported', 5, true],
      ['files', 'its message was not imported', 1, true],
      ['messages', stray, 1, false],
      ['replies', stray, 1, false],
      ['reactions', 'its message was not imported', 5, false],
      ['files', 'its message was not imported', 1, false],
    ],
  );
});

test('a zip, with or without a root folder, produces the same rows as a folder', async () => {
  const inner = Object.fromEntries(
    Object.entries(slackSample).map(([path, content]) => [`My export/${path}`, content]),
  );
  const without = (found: ImportRow[]) => JSON.stringify(found).replaceAll('My export/', '');
  assert.equal(without(await rowsOf('slack', zipped(slackSample))), JSON.stringify(rows));
  assert.equal(without(await rowsOf('slack', zipped(inner))), JSON.stringify(rows));
});

test('people, channels and conversations come from the lists and the authors', () => {
  assert.deepEqual(
    ofKind(rows, 'person').map(({ username, name, type, email, isMember }) => [
      username,
      name,
      type,
      email,
      isMember,
    ]),
    [
      ['ada', 'ada Real', 'person', 'ada@example.com', true],
      ['bo.b', 'bo.b Real', 'person', 'bo.b@example.com', false],
      ['helper', 'Helper', 'agent', undefined, true],
      ['Deploys', 'Deploys', 'agent', undefined, false],
      ['guest', 'Guest', 'person', undefined, false],
    ],
  );
  assert.deepEqual(
    ofKind(rows, 'channel').map(({ name, private: isPrivate, readonly, description, memberIds }) => [
      name,
      isPrivate,
      readonly,
      description,
      memberIds.length,
    ]),
    [
      ['general', false, false, 'Everything', 0],
      ['plans', false, true, null, 0],
      ['secret', true, false, null, 2],
    ],
  );
  assert.deepEqual(
    ofKind(rows, 'conversation')
      .map(({ memberIds }) => memberIds.length)
      .sort(),
    [2, 3],
  );
});

test('threads are attached to their root messages, unless these were deleted or are older', () => {
  const messages = ofKind(rows, 'message');
  const threads = ofKind(rows, 'thread').map(({ id, messageId }) => [
    messages.find((message) => message.id === messageId)?.content ?? null,
    messages.filter(({ threadId }) => threadId === id).map(({ content }) => content),
  ]);
  assert.deepEqual(threads, [
    ['A thread', ['In the thread', 'Broadcast']],
    [null, ['Under a tombstone']],
    [null, ['Late reply']],
  ]);
  const order = rows.map((row) => ('id' in row ? row.id : ''));
  for (const { id, messageId } of ofKind(rows, 'thread')) {
    if (messageId !== null) assert.ok(order.indexOf(messageId) < order.indexOf(id));
    const replies = messages.filter(({ threadId }) => threadId === id);
    assert.ok(replies.every((reply) => order.indexOf(reply.id) > order.indexOf(id)));
  }
});

test('times, edits, reactions, pins and system messages are kept', () => {
  const messages = ofKind(rows, 'message');
  const named = (start: string) => messages.find(({ content }) => content.startsWith(start));
  assert.equal(named('Hello')?.createdAt, 1700000000000);
  assert.equal(named('A thread')?.editedAt, 1700000009000);
  assert.deepEqual(
    named('A thread')?.reactions.map(({ emoji, userId, count }) => [emoji, userId !== null, count]),
    [
      ['👍', true, 1],
      ['👍', true, 1],
      [':party_parrot:', true, 1],
      [':party_parrot:', false, 6],
    ],
  );
  assert.deepEqual(named('Hello')?.pin?.createdAt, 1700000010000);
  assert.deepEqual(named('see \u{f57a0}')?.pin?.createdAt, 1700100006000);
  const topic = messages.find(({ content }) => content.endsWith('set the channel topic: ships'));
  assert.deepEqual([topic?.isSystem, topic?.creatorId], [true, null]);
});

test('mentions and links are rewritten, and markup becomes Markdown', () => {
  const texts = textsIn(rows);
  assert.ok(texts.includes('Hello @bo.b, see #plans & **this**'));
  assert.ok(texts.includes('Deployed `v2`'));
  assert.ok(texts.some((text) => text.startsWith('see >Hello')));
});

test('files are in the archive, at a URL, or named in the text', () => {
  const files = ofKind(rows, 'message').flatMap((message) => message.files);
  assert.deepEqual(
    files.map(({ name, path, url }) => [name, path, url]),
    [
      ['in the export.txt', 'attachments/F01-in the export.txt', 'https://files.slack.com/F01'],
      ['photo.jpg', null, 'https://files.slack.com/F02?t=xoxe-1'],
      ['old.txt', null, 'https://files.slack.com/F05'],
    ],
  );
  assert.ok(textsIn(rows).includes('gone.txt\nPaper'));
  assert.ok(textsIn(rows).includes('see'));
});

test('damaged archives are refused or read, and never crash', () => readDamaged('slack', slackSample, 66));
