// @run sqlite: reads archives, without an engine
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ImportRow } from '../../server/src/imports/row.ts';
import { zipped } from '../support/archives.ts';
import { discordSample } from '../support/discordSample.ts';
import { countsIn, missingIn, ofKind, readDamaged, rowsOf, textsIn } from '../support/imported.ts';

let rows: ImportRow[];
before(async () => {
  rows = await rowsOf('discord', discordSample);
});

test('every message is imported once, or reported as lost', () => {
  const messages = new Map<string, { type: string; reactions: { count: number }[] }>();
  for (const [path, content] of Object.entries(discordSample))
    for (const message of path.endsWith('.json') ? (JSON.parse(String(content)).messages ?? []) : [])
      if (message.type !== 'GuildMemberJoin') messages.set(message.id, message);
  const counts = countsIn(rows);
  const missing = missingIn(rows);
  assert.equal((counts.messages ?? 0) + missing.sumOfLost, messages.size);
  const reactions = [...messages.values()].flatMap((message) => message.reactions);
  assert.equal(
    counts.reactions,
    reactions.reduce((sum, { count }) => sum + count, 0),
  );
  assert.deepEqual(counts, {
    people: 3,
    channels: 3,
    conversations: 1,
    messages: 15,
    threads: 1,
    replies: 4,
    reactions: 5,
    pins: 1,
    files: 4,
    emoji: 1,
    lost: 3,
  });
  assert.deepEqual(Object.keys(missing.lost).sort(), [
    'has no author, or no text and no file',
    'is in a conversation with fewer than two members',
  ]);
  assert.deepEqual(missing.omitted, { 'only says that somebody joined or left': 1 });
});

test('a zip with backslashes produces the same rows', async () => {
  const files = Object.fromEntries(
    Object.entries(discordSample).map(([path, content]) => [path.replaceAll('/', '\\'), content]),
  );
  assert.equal(JSON.stringify(await rowsOf('discord', zipped(files))), JSON.stringify(rows));
});

test('threads are attached to their root messages, and private ones become private channels', () => {
  const [thread] = ofKind(rows, 'thread');
  const root = ofKind(rows, 'message').find(({ id }) => id === thread?.messageId);
  assert.deepEqual(
    [root?.isSystem, root?.content.endsWith(': Started a thread.'), thread?.name],
    [true, true, 'A thread'],
  );
  const [, , hidden] = ofKind(rows, 'channel');
  assert.deepEqual([hidden?.name, hidden?.private, hidden?.memberIds.length], ['Hidden', true, 1]);
});

test('messages keep their times, and replies refer to the right messages', () => {
  const messages = ofKind(rows, 'message');
  const named = (part: string) => messages.find(({ content }) => content.includes(part));
  const build = named('Build');
  assert.equal(build?.createdAt, Date.parse('2023-01-06T16:02:35.860Z'));
  assert.equal(named('late answer')?.replyToId, build?.id);
  assert.equal(named('answer :kekw:')?.replyToId, named('Hello')?.id);
  assert.equal(named('answer :kekw:')?.editedAt, Date.parse('2023-01-06T14:05:00Z'));
  assert.deepEqual(
    named('answer :kekw:')?.reactions.map(({ emoji, userId, count }) => [emoji, userId !== null, count]),
    [
      [':kekw:', false, 3],
      ['👀', true, 1],
      ['👀', true, 1],
    ],
  );
});

test('names, tags and links are rewritten, but not in code', () => {
  const texts = textsIn(rows);
  assert.ok(texts.includes('Hello @bo, see #plans and #unknown ||secret|| `@Bo`'));
  assert.ok(texts.some((text) => text.startsWith('late answer >')));
  assert.ok(texts.some((text) => text.includes('Build') && text.includes('It **works**')));
});

test('files are found at paths with backslashes, and missing ones are reported by name', () => {
  const files = ofKind(rows, 'message').flatMap((message) => message.files);
  assert.deepEqual(
    files.map(({ name, path, url }) => [name, path, url]),
    [
      ['wave.png', 'general.json_Files/wave.png', null],
      ['SPOILER_cat.png', 'general.json_Files/SPOILER_cat-5ADA6.png', null],
      ['absent.txt', null, null],
      ['x.txt', null, 'https://cdn.discordapp.com/x.txt'],
    ],
  );
  assert.deepEqual(
    ofKind(rows, 'emoji').map(({ name, path }) => [name, path]),
    [['kekw', 'general.json_Files/kekw.png']],
  );
});

test('damaged archives are refused or read, and never crash', () =>
  readDamaged('discord', discordSample, 66));
