import type { Files } from './archives.ts';

/** A handwritten Zulip export, modelled on Zulip's tables. */

const START = 1_600_000_000;
const user = (id: number, name: string, more: object = {}) => ({
  id,
  full_name: name,
  email: `user${id}@zulip.invalid`,
  delivery_email: `${name.toLowerCase().split(' ')[0]}@example.com`,
  is_bot: false,
  is_active: true,
  date_joined: START - 1_000 + id,
  ...more,
});

const realm = {
  zerver_realm: [{ id: 2, name: 'Crew' }],
  zerver_userprofile: [
    user(11, 'Ada Lee'),
    user(12, 'Bo', { is_active: false }),
    user(13, 'Build', { is_bot: true }),
  ],
  zerver_userprofile_crossrealm: [
    user(7, 'Notification Bot', { is_bot: true }),
    user(8, 'Welcome Bot', { is_bot: true }),
  ],
  zerver_stream: [
    {
      id: 5,
      name: 'general',
      description: 'Everything',
      invite_only: false,
      deactivated: false,
      date_created: START,
      creator: 11,
    },
    { id: 6, name: 'secret', description: '', invite_only: true, deactivated: true, date_created: START + 1 },
  ],
  zerver_recipient: [
    { id: 21, type: 2, type_id: 5 },
    { id: 22, type: 2, type_id: 6 },
    { id: 23, type: 1, type_id: 11 },
    { id: 24, type: 1, type_id: 12 },
    { id: 25, type: 3, type_id: 1 },
  ],
  zerver_subscription: [
    { id: 1, recipient: 22, user_profile: 11, active: true },
    { id: 2, recipient: 22, user_profile: 12, active: false },
    { id: 3, recipient: 25, user_profile: 11, active: true },
    { id: 4, recipient: 25, user_profile: 12, active: true },
    { id: 5, recipient: 25, user_profile: 13, active: true },
  ],
  zerver_realmemoji: [
    { id: 3, name: 'pirate', file_name: '3.png', deactivated: false, author: 11 },
    { id: 4, name: 'gone', file_name: '4.png', deactivated: true, author: 11 },
  ],
  zerver_reaction: [
    {
      id: 1,
      message: 101,
      user_profile: 12,
      emoji_name: 'thumbs_up',
      emoji_code: '1f44d',
      reaction_type: 'unicode_emoji',
    },
    {
      id: 2,
      message: 101,
      user_profile: 11,
      emoji_name: 'pirate',
      emoji_code: '3',
      reaction_type: 'realm_emoji',
    },
    {
      id: 3,
      message: 101,
      user_profile: 99,
      emoji_name: 'flag',
      emoji_code: '1f1fa-1f1f8',
      reaction_type: 'unicode_emoji',
    },
  ],
};

const message = (
  id: number,
  sender: number,
  recipient: number,
  subject: string,
  content: string,
  more: object = {},
) => ({
  id,
  sender,
  recipient,
  subject,
  content,
  rendered_content: null,
  date_sent: START + id + 0.25,
  ...more,
});

/** The messages, in two files. */
export const zulipMessages = [
  [
    message(101, 11, 21, 'Sails', 'Hello @**Bo|12**, see #**general>Sails** and `@**Bo**` :tada:', {
      last_edit_time: START + 500.5,
    }),
    message(102, 12, 21, 'sails', '```quote\n@_**Ada Lee|11** wrote\n```\nyes'),
    message(
      103,
      12,
      21,
      'Anchors',
      'see [plan.txt](/user_uploads/2/ab/c%20d/plan.txt) and [this](/user_uploads/2/zz/absent.png)',
    ),
    message(104, 7, 21, '', 'no topic'),
  ],
  [
    message(105, 12, 23, '', 'direct'),
    message(106, 11, 24, '', 'direct, too'),
    message(107, 11, 23, '', 'to myself'),
    message(108, 13, 25, '', '```js\nlet a = 1;\n```'),
    message(109, 11, 22, 'Hidden', 'secret <time:2026-01-02T10:00:00Z>'),
    message(110, 99, 21, 'Sails', 'nobody'),
    message(111, 11, 99, 'Sails', 'nowhere'),
  ],
] as const;

export const zulipSample: Files = {
  'realm.json': JSON.stringify(realm),
  ...Object.fromEntries(
    zulipMessages.map((rows, index) => [
      `messages-00000${index + 1}.json`,
      JSON.stringify({
        zerver_message: rows,
        zerver_usermessage: [{ id: 1, message: 101, user_profile: 11 }],
      }),
    ]),
  ),
  'uploads/2/ab/c d/plan.txt': 'plan',
  'uploads/records.json': '[]',
  'emoji/2/emoji/images/3.png': 'png',
};
