// @run sqlite: reads archives, without an engine
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ImportRow } from '../../server/src/imports/row.ts';
import { zipped } from '../support/archives.ts';
import { countsIn, missingIn, ofKind, readDamaged, rowsOf, textsIn } from '../support/imported.ts';
import { mattermostLines, mattermostSample } from '../support/mattermostSample.ts';

let rows: ImportRow[];
before(async () => {
  rows = await rowsOf('mattermost', mattermostSample);
});

test('every post is imported or reported as lost', () => {
  // biome-ignore lint/suspicious/noExplicitAny: lines of several shapes
  const posts = mattermostLines.flatMap((line: any) => line.post ?? line.direct_post ?? []);
  const isNone = ({ message, type, delete_at }: { message: string; type?: string; delete_at?: number }) =>
    delete_at !== undefined ||
    type === 'system_join_team' ||
    / joined the channel\.$| added to the channel by /.test(message);
  const all = posts.flatMap((post) => [post, ...(post.replies ?? [])]);
  const messages = all.filter((post) => !isNone(post));
  const counts = countsIn(rows);
  const missing = missingIn(rows);
  assert.equal((counts.messages ?? 0) + missing.sumOfLost, messages.length);
  assert.equal(missing.sumOfOmitted, all.length - messages.length);
  assert.deepEqual(missing.omitted, {
    'only says that somebody joined or left': 3,
    'was deleted in Mattermost': 1,
  });
  assert.equal(counts.replies, posts.flatMap(({ replies }) => replies ?? []).length);
  assert.equal(counts.reactions, posts.flatMap(({ reactions }) => reactions ?? []).length);
  assert.deepEqual(counts, {
    people: 5,
    channels: 2,
    conversations: 2,
    messages: 10,
    threads: 2,
    replies: 3,
    reactions: 2,
    pins: 1,
    files: 2,
    emoji: 1,
    lost: 3,
  });
});

test('a zip and the JSON Lines alone have the same messages', async () => {
  assert.equal(JSON.stringify(await rowsOf('mattermost', zipped(mattermostSample))), JSON.stringify(rows));
  const alone = await rowsOf(
    'mattermost',
    Buffer.from(String(mattermostSample['import.jsonl'])),
    'import.jsonl',
  );
  assert.deepEqual(countsIn(alone), countsIn(rows));
  assert.ok(ofKind(alone, 'message').every(({ files }) => files.every(({ path }) => path === null)));
});

test('replies are in order, even under a system post', () => {
  const messages = ofKind(rows, 'message');
  const threads = ofKind(rows, 'thread').map(({ id, messageId }) => [
    messages.find((message) => message.id === messageId)?.content.slice(0, 5) ?? null,
    messages.filter(({ threadId }) => threadId === id).map(({ content }) => content),
  ]);
  assert.deepEqual(threads, [
    [null, ['under a join']],
    ['Hello', ['first', 'second']],
  ]);
});

test('people, private channels and direct messages come from the lines and posts', () => {
  assert.deepEqual(
    ofKind(rows, 'person').map(({ username, name, type, isMember }) => [username, name, type, isMember]),
    [
      ['ada', 'ada Lee', 'person', true],
      ['bo.b', 'Bo', 'person', true],
      ['vera', 'vera Lee', 'person', true],
      ['robot', 'Robot', 'agent', true],
      ['stranger', 'stranger', 'person', false],
    ],
  );
  assert.deepEqual(
    ofKind(rows, 'channel').map(({ name, private: isPrivate, memberIds, category }) => [
      name,
      isPrivate,
      memberIds.length,
      category,
    ]),
    [
      ['Deck', false, 0, null],
      ['Bridge', true, 2, null],
    ],
  );
  const [, unlisted] = ofKind(rows, 'conversation');
  assert.equal(
    ofKind(rows, 'message').find(({ content }) => content === 'unlisted')?.channelId,
    unlisted?.id,
  );
});

test('texts, files, edits, pins and system messages are kept', () => {
  const texts = textsIn(rows);
  assert.ok(texts.includes('Hello @bo.b. See #Bridge, ~nowhere and `@bo.b` 🎉 :pirate:'));
  assert.ok(texts.includes('Build\nIt *works*'));
  const hello = ofKind(rows, 'message').find(({ content }) => content.startsWith('Hello'));
  assert.equal(hello?.editedAt, 1_600_000_005_000);
  assert.deepEqual(hello?.pin, {});
  assert.deepEqual(
    hello?.files.map(({ name, path }) => [name, path]),
    [
      ['a file without extension', 'data/teams/crew/some folder/a file without extension'],
      ['absent.png', null],
    ],
  );
  assert.deepEqual(
    hello?.reactions.map(({ emoji, userId }) => [emoji, userId !== null]),
    [
      ['👍', true],
      [':pirate:', false],
    ],
  );
  assert.deepEqual(
    ofKind(rows, 'message')
      .filter(({ isSystem }) => isSystem)
      .map(({ content }) => content),
    ['ada changed the header'],
  );
  assert.deepEqual(
    ofKind(rows, 'emoji').map(({ path }) => path),
    ['data/exported_emoji/1/image.png'],
  );
});

test('damaged archives are refused or read, and never crash', () =>
  readDamaged('mattermost', mattermostSample, 48));
