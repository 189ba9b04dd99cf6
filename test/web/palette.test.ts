import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayIn } from '../../web/features/palette/days.ts';
import { type Entry, fit, ranked } from '../../web/features/palette/rank.ts';
import { byNeed, visit } from '../../web/features/palette/recent.ts';
import * as germanMe from '../../web/strings/de/me.ts';
import * as germanPalette from '../../web/strings/de/menus.ts';
import * as germanPlatform from '../../web/strings/de/platform.ts';
import * as germanServer from '../../web/strings/de/serverSettings.ts';
import * as germanWriting from '../../web/strings/de/writing.ts';
import { me as myPages } from '../../web/strings/en/me.ts';
import { palette } from '../../web/strings/en/menus.ts';
import { platform as platformPages } from '../../web/strings/en/platform.ts';
import { serverSettings } from '../../web/strings/en/serverSettings.ts';
import { later as laterPages } from '../../web/strings/en/writing.ts';

const german = { ...germanPalette, ...germanServer, ...germanPlatform, ...germanMe, ...germanWriting };

const entry = (kind: Entry['kind'], name: string, about?: string): Entry => ({
  id: `${kind}-${name}`,
  kind,
  name,
  about,
  run: () => undefined,
});
const names = (found: readonly Entry[]) => found.map(({ name }) => name);

test('the palette has all settings pages in each language', () => {
  for (const [words, server, platform, me, later] of [
    [palette, serverSettings, platformPages, myPages, laterPages],
    [german.palette, german.serverSettings, german.platform, german.me, german.later],
  ] as const) {
    const sections = (pages: object) => Object.keys(pages).sort();
    assert.deepEqual(sections(words.serverPages), Object.keys(server.sections).sort());
    assert.deepEqual(sections(words.platformPages), Object.keys(platform.sections).sort());
    assert.deepEqual(sections(words.ownPages), Object.keys(me.sections).sort());
    assert.deepEqual(sections(words.laterPages), Object.keys(later.sections).sort());
  }
});

const entries = [
  entry('channel', 'general', 'in Harbour'),
  entry('channel', 'ada-talks'),
  entry('person', 'Ada Lovelace', '@ada'),
  entry('person', 'Cem Özgür', '@cem'),
  entry('action', 'Invite people'),
  entry('setting', 'Appearance'),
  entry('server', 'Harbour'),
];

test('a full name ranks before a prefix, a word of it, and a fuzzy match', () => {
  const scores = ['ada', 'ada l', 'lovelace', 'dal', 'avl', 'xyz'].map((typed) => fit('ada lovelace', typed));
  assert.deepEqual(scores, [80, 80, 60, 20, 20, 0]);
  assert.equal(fit('Özgür', 'ozgur'), 100);
});

test('secondary text is searched, and ranks below names', () => {
  assert.deepEqual(names(ranked(entries, 'harbour')), ['Harbour', 'general']);
  assert.deepEqual(names(ranked(entries, 'cem')), ['Cem Özgür']);
  assert.deepEqual(names(ranked(entries, 'general harb')), ['general']);
  assert.deepEqual(names(ranked(entries, 'özg @cem')), ['Cem Özgür']);
});

test('fuzzy matching is the last resort and only covers names', () => {
  const some = [
    ...entries,
    entry('action', 'Create channel', 'in Chess on Fridays'),
    entry('setting', 'API keys'),
  ];
  assert.deepEqual(names(ranked(some, 'key')), ['API keys']);
  assert.deepEqual(names(ranked(some, 'crch')), ['Create channel']);
  assert.deepEqual(names(ranked(some, 'mky')), []);
});

test('a typed date means the latest matching day that is not in the future', () => {
  const now = new Date(2026, 10, 25, 13, 30).getTime();
  const days = (typed: string) => {
    const at = dayIn(typed, now);
    if (at === undefined) return 'none';
    const date = new Date(at);
    assert.equal(date.getHours(), 0);
    return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
  };
  for (const [typed, day] of [
    ['2026-03-01', '2026-3-1'],
    ['2026-03', '2026-3-1'],
    ['1 March', '2026-3-1'],
    ['March 1st, 2024', '2024-3-1'],
    ['1 mar', '2026-3-1'],
    ['26 November', '2025-11-26'],
    ['29 Feb', '2024-2-29'],
    ['3/1', '2026-3-1'],
    ['24.11.', '2026-11-24'],
    ['1.3.24', '2024-3-1'],
    ['25/12/2025', '2025-12-25'],
    ['today', '2026-11-25'],
    ['Yesterday', '2026-11-24'],
    ['3 days ago', '2026-11-22'],
    ['last week', '2026-11-18'],
    ['last month', '2026-10-25'],
    ['monday', '2026-11-23'],
    ['Wed', '2026-11-18'],
    ['tomorrow', 'none'],
    ['2027-01-01', 'none'],
    ['31 June', 'none'],
    ['31.2.', 'none'],
    ['may I', 'none'],
    ['marketing', 'none'],
    ['general', 'none'],
    ['', 'none'],
  ] as const)
    assert.equal(days(typed), day, typed);
});

test('a prefix character limits the results to one kind', () => {
  assert.deepEqual(names(ranked(entries, '@')), ['Ada Lovelace', 'Cem Özgür']);
  assert.deepEqual(names(ranked(entries, '@ada')), ['Ada Lovelace']);
  assert.deepEqual(names(ranked(entries, '#ada')), ['ada-talks']);
  assert.deepEqual(names(ranked(entries, '> ')), ['Invite people', 'Appearance']);
});

test('an empty search shows some entries of each kind, regardless of the number of channels', () => {
  const many = Array.from({ length: 200 }, (_, at) => entry('channel', `channel-${at}`));
  const found = ranked([...many, ...entries], '');
  assert.equal(found.filter(({ kind }) => kind === 'channel').length, 6);
  assert.equal(found.filter(({ kind }) => kind !== 'channel').length, 5);
});

test('channels with mentions come first, then unread ones, then recent ones, and the open one last', () => {
  const channel = (id: string, unread = 0, mentions = 0) => ({ id, unread, mentions });
  for (const id of ['b', 'c', 'open']) visit(id);
  const all = [
    channel('open'),
    channel('a'),
    channel('b'),
    channel('c'),
    channel('d', 2),
    channel('e', 5, 1),
  ];
  assert.deepEqual(
    byNeed(all, 'open').map(({ id }) => id),
    ['e', 'd', 'c', 'b', 'a', 'open'],
  );
});
