import type { Files } from './archives.ts';

/** A handwritten Mattermost bulk export, modelled on public samples. */

const line = (type: string, record: object): object => ({ type, [type]: record });
const user = (username: string, more: object = {}) =>
  line('user', {
    username,
    email: `${username}@example.com`,
    first_name: username,
    last_name: 'Lee',
    nickname: '',
    teams: null,
    ...more,
  });
const team = (channels: string[]) => [
  { name: 'crew', roles: '', channels: channels.map((name) => ({ name })) },
];
const post = (username: string, message: string, time: number, more: object = {}) =>
  line('post', {
    team: 'crew',
    channel: 'deck',
    user: username,
    message,
    create_at: time,
    reactions: null,
    replies: null,
    ...more,
  });
const direct = (members: string[], username: string, message: string, time: number, more: object = {}) =>
  line('direct_post', {
    channel_members: members,
    user: username,
    message,
    create_at: time,
    reactions: null,
    replies: null,
    ...more,
  });

const START = 1_600_000_000_000;
export const mattermostLines: object[] = [
  { type: 'version', version: 1 },
  line('team', { name: 'crew', display_name: 'Crew', type: 'O' }),
  line('channel', {
    team: 'crew',
    name: 'deck',
    display_name: 'Deck',
    type: 'O',
    header: '',
    purpose: 'All hands',
  }),
  line('channel', {
    team: 'crew',
    name: 'bridge',
    display_name: 'Bridge',
    type: 'P',
    header: 'quiet',
    purpose: '',
  }),
  user('ada', { teams: team(['deck', 'bridge']) }),
  user('bo.b', { nickname: 'Bo', teams: team(['deck', 'bridge']) }),
  user('vera'),
  line('bot', { username: 'robot', display_name: 'Robot', owner: 'ada' }),
  post('ada', 'ada joined the channel.', START, {
    replies: [{ user: 'bo.b', message: 'under a join', create_at: START + 20 }],
  }),
  post('bo.b', 'bo.b added to the channel by ada.', START + 1),
  post('ada', 'Hello @bo.b. See ~bridge, ~nowhere and `@bo.b` :tada: :pirate:', START + 2, {
    edit_at: START + 5_000,
    is_pinned: true,
    reactions: [
      { user: 'bo.b', create_at: START + 3, emoji_name: 'thumbsup' },
      { user: 'gone', create_at: START + 4, emoji_name: 'pirate' },
    ],
    replies: [
      { user: 'bo.b', message: 'second', create_at: START + 9 },
      { user: 'ada', message: 'first', create_at: START + 8 },
    ],
    attachments: [
      { path: 'teams/crew/some folder/a file without extension' },
      { path: 'teams/crew/absent.png' },
    ],
  }),
  post('ada', 'ada changed the header', START + 10, { type: 'system_header_change' }),
  post('vera', 'vera joined the team', START + 11, { type: 'system_join_team' }),
  post('ada', 'I never said that', START + 12, { delete_at: START + 13 }),
  post('stranger', 'from somebody not listed', START + 14),
  post('ada', 'elsewhere', START + 15, { channel: 'nowhere' }),
  post('robot', '', START + 16, { props: { attachments: [{ title: 'Build', text: 'It *works*' }] } }),
  line('direct_channel', { members: ['ada', 'bo.b'], header: '' }),
  direct(['ada', 'bo.b'], 'bo.b', 'second direct', START + 30),
  direct(['bo.b', 'ada'], 'ada', 'first direct', START + 29),
  // No line lists these members.
  direct(['ada', 'vera'], 'vera', 'unlisted', START + 31),
  direct(['ada'], 'ada', 'notes', START + 32),
  line('emoji', { name: 'pirate', image: 'exported_emoji/1/image.png' }),
];

export const mattermostSample: Files = {
  'import.jsonl': `${mattermostLines.map((each) => JSON.stringify(each)).join('\n')}\n`,
  'data/teams/crew/some folder/a file without extension': 'text',
  'data/teams/crew/evidence.json': '{"a": [',
  'data/exported_emoji/1/image.png': 'png',
};
