import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { LogEvent } from '../../../web/features/audit/logEvent.ts';
import { actorOf, nameOfActor } from '../../../web/features/audit/settings/actors.ts';
import { changesIn } from '../../../web/features/audit/settings/changes.ts';
import { csvOf } from '../../../web/features/audit/settings/csv.ts';
import { isModeration } from '../../../web/features/audit/settings/moderation.ts';
import { tableOf } from '../../../web/features/audit/settings/table.ts';
import {
  actOf,
  moderationTypes,
  nouns,
  subjectOf,
  typesFor,
} from '../../../web/features/audit/settings/words.ts';
import { auditSettings } from '../../../web/strings/en/records.ts';

const { components } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
);
const eventTypes = Object.keys(components.schemas.Event.discriminator.mapping);

let seq = 0;
const event = (type: string, data: object): LogEvent =>
  ({
    id: `e${++seq}`,
    seq,
    type,
    serverId: 's',
    actorId: 'ada',
    at: 1_800_000_000_000 + seq,
    data,
  }) as unknown as LogEvent;

test('every requested event type has a text', () => {
  const known = eventTypes.filter((type) =>
    typesFor()
      .split(',')
      .some((wish) => matches(wish, type)),
  );
  assert.ok(known.length > 30);
  for (const type of known) assert.ok(type in auditSettings.acts, type);
  for (const noun of nouns) assert.ok(auditSettings.nouns[noun], noun);
  assert.equal(actOf(event('later.created', {})), 'later.created');
});

const matches = (wish: string, type: string): boolean =>
  wish.endsWith('.*') ? type.startsWith(wish.slice(0, -1)) : wish === type;

test('a change lists its fields, and updates of derived counts are not listed', () => {
  const log = [
    event('server.created', { id: 's', name: 'Harbour', memberCount: 1, updatedAt: 1 }),
    event('server.updated', { id: 's', name: 'Harbour', memberCount: 2, updatedAt: 2 }),
    event('server.updated', { id: 's', name: 'Port', private: true, memberCount: 2, updatedAt: 3 }),
    event('role.updated', { id: 'r', name: 'Helpers' }),
    event('role.deleted', { id: 'r', name: 'Helpers' }),
  ];
  assert.deepEqual(
    changesIn(log).map(({ event: { type }, fields }) => [type, fields]),
    [
      ['server.created', undefined],
      ['server.updated', ['name', 'private']],
      ['role.updated', undefined],
      ['role.deleted', undefined],
    ],
  );
});

test('in a partly read log, a server change is listed once its earlier state is known', () => {
  const log = [
    event('server.updated', { id: 's', name: 'Harbour', memberCount: 2 }),
    event('role.updated', { id: 'r', name: 'Helpers' }),
    event('server.updated', { id: 's', name: 'Port', memberCount: 2 }),
  ];
  const told = (isWhole: boolean) =>
    changesIn(log, isWhole).map(({ event: { type }, fields }) => [type, fields]);
  assert.deepEqual(told(false), [
    ['role.updated', undefined],
    ['server.updated', ['name']],
  ]);
  assert.equal(told(true).length, 3);
});

test('a CSV file escapes commas, quotes and newlines, and contains no formulas', () => {
  assert.equal(csvOf([['a', 'b,c', 'd"e', 'f\ng', null, 7, -7]]), 'a,"b,c","d""e","f\ng",,7,-7\r\n');
  for (const start of ['=', '+', '-', '@', '\t']) assert.equal(csvOf([[`${start}cmd`]]), `'${start}cmd\r\n`);
  const file = tableOf([event('role.created', { id: 'r', name: '=1+1' })], () => 'Ada');
  assert.match(file, /^at,seq,type,actorId,actor,act,subject,subjectId\r\n/);
  assert.match(file, /,role\.created,ada,Ada,created the role,'=1\+1,r\r\n$/);
});

test('a change without a user is attributed to the operator only if the event says so', () => {
  const names = [
    { actorId: 'ada', actor: 'person' },
    { actorId: null, actor: 'operator' },
    { actorId: null, actor: 'system' },
    { actorId: null },
  ].map((by) => {
    const actor = actorOf({ ...event('invite.updated', {}), ...by } as LogEvent);
    return nameOfActor(actor) ?? actor;
  });
  assert.deepEqual(names, ['ada', 'Operator', 'Palaver', 'Unknown']);
});

test('moderation lists only actions by moderators', () => {
  const channel = { id: 'c', name: 'talk', slowSeconds: 0, readonly: false };
  const thread = { id: 't', locked: false, replyCount: 1 };
  const log = [
    event('message.deleted', { id: 'm1', creatorId: 'ada' }),
    event('message.deleted', { id: 'm2', creatorId: 'ben' }),
    event('serverMember.deleted', { id: 'b1', userId: 'ada' }),
    event('serverMember.deleted', { id: 'b2', userId: 'ben' }),
    event('serverMember.updated', { id: 'b3', userId: 'ben', nickname: null, timeoutUntil: null }),
    event('serverMember.updated', { id: 'b3', userId: 'ben', nickname: 'Ben', timeoutUntil: null }),
    event('serverMember.updated', { id: 'b3', userId: 'ben', nickname: 'Ben', timeoutUntil: 9 }),
    event('serverBan.created', { id: 'x' }),
    event('heldMessage.deleted', { id: 'h1', creatorId: 'ada', outcome: 'withdrawn' }),
    event('heldMessage.deleted', { id: 'h2', creatorId: 'ben', outcome: 'approved' }),
    event('report.updated', { id: 'r', state: 'resolved' }),
    event('wordRule.created', { id: 'w', pattern: 'zzyzx' }),
    event('channel.updated', channel),
    event('channel.updated', { ...channel, name: 'chat' }),
    event('channel.updated', { ...channel, name: 'chat', slowSeconds: 10 }),
    event('thread.updated', thread),
    event('thread.updated', { ...thread, replyCount: 2 }),
    event('thread.updated', { ...thread, replyCount: 2, locked: true }),
  ];
  const wished = moderationTypes.split(',');
  for (const { type } of log)
    assert.ok(
      wished.some((wish) => matches(wish, type)),
      type,
    );
  assert.deepEqual(
    changesIn(log)
      .filter(isModeration)
      .map((change) => log.indexOf(change.event)),
    [1, 3, 4, 6, 7, 9, 10, 11, 14, 17],
  );
  const acts = [9, 10].map((index) => actOf(log[index] as LogEvent));
  assert.deepEqual(acts, ['approved a message from', 'resolved a report of a message from']);
  assert.equal(subjectOf(log[11] as LogEvent), 'zzyzx');
});
