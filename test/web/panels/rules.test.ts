import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupsOf } from '../../../web/features/member/panel/groups.ts';
import { nameFor } from '../../../web/features/message/threadName.ts';
import { type Facts, newsIn } from '../../../web/features/notification/decide.ts';
import { endOf } from '../../../web/features/presence/textEnd.ts';

const now = 1_800_000_000_000;

const facts = (changes: Partial<Facts> = {}): Facts => ({
  userId: 'me',
  now,
  status: 'online',
  reading: { level: null, mutedUntil: null, hidden: false },
  server: { level: null, mutedUntil: null },
  quietHours: null,
  ...changes,
});
const event = (type: string, data: object) => ({ type, data }) as unknown as Parameters<typeof newsIn>[0];
const message = (changes: object = {}) =>
  event('message.created', {
    ...{ id: 'm', serverId: 's', channelId: 'c', creatorId: 'other', type: 'person', threadId: null },
    ...{ createdAt: now, ...changes },
  });
const mention = event('notification.created', {
  ...{ messageId: 'm', serverId: 's', channelId: 'c', type: 'mention', actorId: 'other', userId: 'me' },
  ...{ readAt: null, createdAt: now },
});
const levels = (level: 'all' | 'mentions' | 'nothing') =>
  facts({ reading: { level, mutedUntil: null, hidden: false } });

describe('desktop notifications', () => {
  test('follow the level set for the channel and its server', () => {
    assert.equal(newsIn(message(), levels('all'))?.kind, 'message');
    assert.equal(newsIn(message(), levels('mentions')), undefined);
    assert.equal(newsIn(mention, levels('mentions'))?.kind, 'mention');
    assert.equal(newsIn(mention, levels('nothing')), undefined);
    assert.equal(newsIn(message(), facts({ server: { level: 'mentions', mutedUntil: null } })), undefined);
  });

  test('are only about mentions in channels that the person left', () => {
    const left = facts({ reading: { level: 'all', mutedUntil: null, hidden: true } });
    assert.equal(newsIn(message(), left), undefined);
    assert.equal(newsIn(mention, left)?.kind, 'mention');
  });

  test('are suppressed in muted channels, in quiet hours and in "Do not disturb"', () => {
    const muted = { level: null, mutedUntil: now + 1, hidden: false };
    assert.equal(newsIn(mention, facts({ reading: muted })), undefined);
    assert.equal(newsIn(mention, facts({ server: muted })), undefined);
    assert.equal(newsIn(mention, facts({ status: 'dnd' })), undefined);
    const quietHours = { from: '00:00', to: '00:00', timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] };
    assert.equal(newsIn(mention, facts({ quietHours })), undefined);
    assert.ok(newsIn(mention, facts({ quietHours: { ...quietHours, timeZone: 'Moon/Base' } })));
    assert.ok(newsIn(mention, facts({ reading: { level: null, mutedUntil: now, hidden: false } })));
  });

  test('for the user\'s own reminders do not depend on the channel, only on "Do not disturb"', () => {
    const { data } = mention as { data: object };
    for (const type of ['reminder', 'schedule', 'flow']) {
      const own = event('notification.created', { ...data, id: 'n', actorId: 'me', type });
      const muted = { level: 'nothing', mutedUntil: now + 1, hidden: false } as const;
      assert.equal(newsIn(own, facts({ reading: muted, server: muted }))?.ownId, 'n', type);
      assert.equal(newsIn(own, facts({ status: 'dnd' })), undefined, type);
    }
    assert.equal(newsIn(mention, facts())?.ownId, undefined);
  });

  test("exclude the person's own messages, old ones, and replies in threads the person does not follow", () => {
    for (const changes of [
      { creatorId: 'me' },
      { createdAt: now - 120_000 },
      { threadId: 't' },
      { type: 'system' },
    ])
      assert.equal(newsIn(message(changes), facts()), undefined, JSON.stringify(changes));
  });
});

test('a thread is named after the first line of its message, as plain text', () => {
  const names = {
    '## The **plan** for `v4`\nmore': 'The plan for v4',
    '- [a link](https://example.org) here': 'a link here',
    '```js\nlet x\n```\nafter code': 'after code',
    'it is ||a secret||': 'it is …',
    '   ': '',
    '\\*a\\* &amp; snake_case\nb': '*a* & snake_case',
    '> [x][y]\n\n[y]: https://example.com': 'x',
  };
  for (const [content, name] of Object.entries(names)) assert.equal(nameFor(content), name);
  const long = nameFor('word '.repeat(40));
  assert.ok(long.length <= 60 && long.endsWith('word…'), long);
  assert.equal([...nameFor('👩'.repeat(200))].length, 60);
});

test("a status expires according to the reader's calendar", () => {
  const friday = new Date(2026, 10, 20, 15, 30);
  assert.equal(endOf('never', friday), null);
  assert.equal(endOf('hour', friday), friday.getTime() + 3_600_000);
  assert.equal(endOf('today', friday), new Date(2026, 10, 21).getTime());
  assert.equal(endOf('week', friday), new Date(2026, 10, 23).getTime());
  assert.equal(endOf('week', new Date(2026, 10, 23, 9)), new Date(2026, 10, 30).getTime());
  assert.equal(endOf('week', new Date(2026, 10, 22, 9)), new Date(2026, 10, 23).getTime());
});

test('members are sorted by presence, then by name, and agents are listed separately', () => {
  type Members = Parameters<typeof groupsOf>[0];
  const member = (name: string, type = 'person', nickname: string | null = null) =>
    ({ id: name, nickname, user: { name, type } }) as Members[number];
  const presence = (status: string) => ({ status }) as Parameters<typeof groupsOf>[1][number];
  const members = [
    member('Zoe'),
    member('bot', 'agent'),
    member('ben'),
    member('Ada', 'person', 'yellow'),
    member('Cem'),
  ];
  const groups = groupsOf(members, [
    presence('dnd'),
    presence('online'),
    presence('online'),
    undefined,
    presence('offline'),
  ]);
  assert.deepEqual(
    groups.map(({ kind, members: some }) => [kind, some.map((one) => one.member.id)]),
    [
      ['here', ['ben', 'Zoe']],
      ['agents', ['bot']],
      ['away', ['Cem', 'Ada']],
    ],
  );
});
