import type { Files } from './archives.ts';

/** A handwritten Slack export, modelled on public samples. */

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const user = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  deleted: false,
  is_bot: false,
  profile: { real_name: `${name} Real`, display_name: '', email: `${name}@example.com` },
  ...more,
});
const message = (ts: string, userId: string, text: string, more: object = {}) => ({
  type: 'message',
  user: userId,
  text,
  ts,
  blocks: null,
  ...more,
});

const day = [
  message('1700000000.000100', 'U01', 'Hello <@U02>, see <#C02|plans> &amp; *this*'),
  message('1700000001.000100', 'U02', '<@U02> has joined the channel', { subtype: 'channel_join' }),
  message('1700000002.000100', 'U01', 'A thread', {
    thread_ts: '1700000002.000100',
    reply_count: 2,
    edited: { user: 'U01', ts: '1700000009.000000' },
    reactions: [
      { name: 'thumbsup', users: ['U01', 'U02'], count: 2 },
      { name: 'party_parrot', users: ['U01'], count: 7 },
    ],
  }),
  message('1700000003.000100', 'USLACKBOT', 'This message was deleted.', {
    subtype: 'tombstone',
    hidden: true,
    thread_ts: '1700000003.000100',
    reply_count: 1,
  }),
  message('1700000005.000100', 'U02', 'Broadcast', {
    subtype: 'thread_broadcast',
    thread_ts: '1700000002.000100',
    root: { ts: '1700000002.000100' },
  }),
  // These messages are out of order, as some tools write them.
  message('1700000004.000100', 'U02', 'In the thread', { thread_ts: '1700000002.000100' }),
  message('1700000006.000100', 'U01', 'Under a tombstone', { thread_ts: '1700000003.000100' }),
  message('1700000007.000100', 'U01', '<@U01> set the channel topic: ships', { subtype: 'channel_topic' }),
];
const nextDay = [
  {
    ...message('1700100000.000100', 'U01', ''),
    text: undefined,
    files: [
      {
        id: 'F01',
        name: 'in the export.txt',
        size: 4,
        mode: 'hosted',
        url_private: 'https://files.slack.com/F01',
      },
      {
        id: 'F02',
        name: 'photo.jpg',
        size: 9_000,
        mode: 'hosted',
        url_private_download: 'https://files.slack.com/F02?t=xoxe-1',
      },
      { id: 'F03', name: 'gone.txt', mode: 'tombstone' },
      { id: 'F04', name: 'paper', title: 'Paper', mode: 'external', is_external: true, url_private: '' },
    ],
  },
  message('1700100001.000100', 'U02', '<@U02> uploaded a file: <https://x|old.txt> and commented: see', {
    subtype: 'file_share',
    file: {
      id: 'F05',
      name: 'old.txt',
      url_private: 'https://files.slack.com/F05',
      initial_comment: { comment: 'see' },
    },
  }),
  {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B09',
    username: 'Deploys',
    text: '',
    ts: '1700100002.000100',
    attachments: [{ fallback: 'deployed', text: 'Deployed `v2`' }],
  },
  message('1700100003.000100', 'U77', 'From another workspace', {
    user_profile: { name: 'guest', real_name: 'Guest' },
  }),
  message('1700100004.000100', 'U02', 'Late reply', { thread_ts: '1699000000.000100' }),
  message('1700100005.000100', 'U01', 'see <https://team.slack.com/archives/C01/p1700000000000100>', {
    pinned_to: ['C01'],
    pinned_info: { channel: 'C01', pinned_by: 'U02', pinned_ts: 1700100006 },
  }),
  message('1700100006.000100', '', 'nobody'),
];

export const slackSample: Files = {
  'users.json': json([
    user('U01', 'ada'),
    user('U02', 'bo.b', { deleted: true }),
    user('U03', 'helper', { is_bot: true, profile: { bot_id: 'B01', real_name: 'Helper' } }),
  ]),
  'channels.json': json([
    {
      id: 'C01',
      name: 'general',
      created: 1690000000,
      creator: 'U01',
      members: ['U01', 'U02'],
      purpose: { value: 'Everything' },
      topic: { value: '' },
      pins: [{ id: '1700000000.000100', created: 1700000010, user: 'U01' }, { id: '1.1' }],
    },
    { id: 'C02', name: 'plans', created: 1690000001, creator: 'U01', is_archived: true, members: null },
  ]),
  'groups.json': json([
    { id: 'G01', name: 'secret', created: 1690000002, creator: 'U02', members: ['U01', 'U02'] },
  ]),
  'dms.json': json([
    { id: 'D01', created: 1690000003, members: ['U01', 'U02'] },
    { id: 'D02', created: 1690000004, members: ['U01', 'U01'] },
  ]),
  'mpims.json': json([
    { id: 'G02', name: 'mpdm-ada--bo.b--helper-1', created: 1690000005, members: ['U01', 'U02', 'U03'] },
  ]),
  'general/2023-11-14.json': json(day),
  'general/2023-11-16.json': json(nextDay),
  // A folder named after the channel's id.
  'G01/2023-11-14.json': json([message('1700000000.000200', 'U02', 'secret')]),
  'D01/2023-11-14.json': json([message('1700000000.000300', 'U02', 'direct')]),
  'D02/2023-11-14.json': json([message('1700000000.000400', 'U01', 'to myself')]),
  'mpdm-ada--bo.b--helper-1/2023-11-14.json': json([
    { type: 'message', bot_id: 'B01', text: 'from a bot', ts: '1700000000.000500' },
  ]),
  'lost/2023-11-14.json': json([message('1700000000.000600', 'U01', 'in no channel')]),
  'attachments/F01-in the export.txt': 'text',
};
