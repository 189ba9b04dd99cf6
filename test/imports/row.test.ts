// @run sqlite: reads no data
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composed } from '../../server/src/imports/composed.ts';
import {
  channelMentionOf,
  idsFor,
  kinds,
  type MessageRow,
  mentionOf,
  messageLinkOf,
  sources,
  withReferences,
} from '../../server/src/imports/row.ts';
import { Seen } from '../../server/src/imports/seen.ts';
import { isId, timeOfId } from '../../server/src/lib/deps.ts';
import { idAt } from '../support/moving.ts';

const server = '01890000-0000-7000-8000-000000000001';

test("ids depend only on the server, the source, the noun, the source's id and the time", () => {
  const ids = idsFor(server, 'slack');
  const id = ids('message', '1700000000.000100', 1_700_000_000_000);
  assert.ok(isId(id));
  assert.equal(timeOfId(id), 1_700_000_000_000);
  assert.equal(idsFor(server, 'slack')('message', '1700000000.000100', 1_700_000_000_000), id);
  const others = [
    idsFor(server.replace('1', '2'), 'slack')('message', '1700000000.000100', 1_700_000_000_000),
    idsFor(server, 'zulip')('message', '1700000000.000100', 1_700_000_000_000),
    ids('thread', '1700000000.000100', 1_700_000_000_000),
    ids('message', '1700000000.000200', 1_700_000_000_000),
    ids('message', '1700000000.000100', 1_700_000_000_001),
  ];
  assert.equal(new Set([id, ...others]).size, 6);
  for (const other of others) assert.match(other, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
});

test('ids of implausible times are still ids', () => {
  for (const time of [-1, 0, 0.5, 1e300]) assert.ok(isId(idsFor(server, 'slack')('person', 'U1', time)));
});

test('duplicates are detected, and ids that differ only in their time or a counter are not duplicates', () => {
  const seen = new Seen();
  const ids = Array.from({ length: 100_000 }, (_, index) => [
    idAt(1_700_000_000_000, index),
    idAt(1_700_000_000_001 + index, 1),
  ]).flat();
  assert.ok(ids.every((id) => seen.add(id)));
  assert.ok(!ids.some((id) => seen.add(id)));
});

test("references in texts are resolved, and their marks are removed from the source's texts", () => {
  const [one, two] = [server, server.replace('1', '2')];
  const text = `${mentionOf(one)} in ${channelMentionOf(two)}: ${messageLinkOf(two, one)}`;
  const shown = withReferences(
    text,
    (mark, id, messageId) => `${mark}${id === one ? 'one' : 'two'}${messageId ? '!' : ''}`,
  );
  assert.equal(shown, '@one in #two: >two!');
  assert.equal(
    withReferences('\u{f57a0}@nobody\u{f57a1}', () => 'x'),
    '@nobody',
  );
});

test("links to messages become links to the imported ones, under their channel's name", () => {
  const channel = server.replace('1', '2');
  const around = {
    target: { server: { id: server }, source: 'slack' },
    people: { find: () => undefined },
    places: { find: (id: string) => (id === channel ? { id, name: 'plans [new]' } : undefined) },
    files: {},
  } as unknown as Parameters<typeof composed>[0];
  const content = `see ${messageLinkOf(channel, server)} in ${channelMentionOf(channel)}`;
  const { parts } = composed(around, { row: 'message', content, files: [] } as unknown as MessageRow);
  assert.deepEqual(parts, [`see [#plans \\[new\\]](/s/${server}/c/${channel}/m/${server}) in #plans [new]`]);
});

test('sources and kinds match those in the command line and the report', () => {
  assert.deepEqual(sources, ['slack', 'discord', 'mattermost', 'zulip', 'rocketchat', 'palaver']);
  assert.deepEqual(kinds, [
    'people',
    'channels',
    'conversations',
    'messages',
    'replies',
    'reactions',
    'pins',
    'files',
    'emoji',
  ]);
});
