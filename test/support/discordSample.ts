import type { Files } from './archives.ts';

/** Handwritten files in DiscordChatExporter's format, modelled on public samples. */

const EPOCH = 1_420_070_400_000;
/** A Discord id with this time. */
const snowflake = (time: number, number: number): string =>
  String((BigInt(time - EPOCH) << 22n) + BigInt(number));
const START = Date.parse('2023-01-06T14:00:00.000Z');
const channel = (number: number): string => snowflake(START - 1_000_000, number);

const ada = { id: '101', name: 'ada', discriminator: '0', nickname: 'Ada L.', isBot: false };
const bo = { id: '102', name: 'bo', discriminator: '0002', nickname: 'Bo', isBot: false };
const helper = { id: '103', name: 'helper', discriminator: '0003', nickname: 'Helper', isBot: true };

const message = (second: number, author: object, content: string, more: object = {}) => ({
  id: snowflake(START + second * 1_000, 1),
  type: 'Default',
  timestamp: new Date(START + second * 1_000).toISOString().replace('Z', '+00:00'),
  timestampEdited: null,
  isPinned: false,
  content,
  author,
  attachments: [],
  embeds: [],
  stickers: [],
  reactions: [],
  mentions: [],
  ...more,
});

const file = (id: string, name: string, type: string, messages: object[], more: object = {}): string =>
  JSON.stringify(
    {
      guild: { id: '1', name: 'Guild', iconUrl: '' },
      channel: { id, type, categoryId: '2', category: 'Text Channels', name, topic: null, ...more },
      dateRange: { after: null, before: null },
      messages,
      messageCount: messages.length,
    },
    null,
    2,
  );

const id = (second: number): string => snowflake(START + second * 1_000, 1);
const media = 'general.json_Files';
const general = [
  message(0, ada, 'Hello @Bo, see #plans and <#404> ||secret|| `@Bo`', { mentions: [bo], isPinned: true }),
  message(1, bo, 'Joined the server.', { type: 'GuildMemberJoin' }),
  message(2, bo, 'answer :kekw:', {
    type: 'Reply',
    timestampEdited: '2023-01-06T14:05:00+00:00',
    reference: { messageId: id(0), channelId: channel(1), guildId: '1' },
    reactions: [
      { emoji: { id: '900', name: 'kekw', isAnimated: false, imageUrl: `${media}\\kekw.png` }, count: 3 },
      { emoji: { id: '', name: '👀', isAnimated: false, imageUrl: '' }, count: 2, users: [ada, bo] },
    ],
  }),
  message(3, ada, '', {
    stickers: [{ id: '7', name: 'wave', format: 'Png', sourceUrl: `${media}\\wave.png` }],
  }),
  message(4, bo, '', {
    attachments: [
      { id: '31', url: `${media}\\SPOILER_cat-5ADA6.png`, fileName: 'SPOILER_cat.png', fileSizeBytes: 3 },
      { id: '32', url: `${media}\\absent.txt`, fileName: 'absent.txt', fileSizeBytes: 9 },
      { id: '33', url: 'https://cdn.discordapp.com/x.txt', fileName: 'x.txt', fileSizeBytes: 9 },
    ],
  }),
  message(5, ada, 'Started a thread.', {
    type: 'ThreadCreated',
    reference: { messageId: null, channelId: channel(3), guildId: '1' },
  }),
  // The time in the id differs from the message's.
  {
    ...message(6, helper, '', { embeds: [{ title: 'Build', description: 'It **works**', fields: [] }] }),
    timestamp: '2023-01-06T16:02:35.86+00:00',
  },
  message(7, bo, `late answer https://discord.com/channels/1/${channel(1)}/${id(6)}`, {
    reference: { messageId: id(6), channelId: channel(1), guildId: '1' },
  }),
  message(8, ada, ''),
];
const thread = [
  message(20, bo, 'in the thread'),
  message(21, ada, 'reply', {
    type: 'Reply',
    reference: { messageId: id(20), channelId: channel(3), guildId: '1' },
  }),
];
const plans = [message(30, ada, 'one'), message(31, bo, 'deleted later'), message(32, ada, 'three')];

export const discordSample: Files = {
  'Guild - general.json': file(channel(1), 'general', 'GuildTextChat', general, { topic: 'Everything' }),
  'Guild - plans.json': file(channel(2), 'plans', 'GuildTextChat', plans),
  'Guild - plans without deleted.json': file(channel(2), 'plans', 'GuildTextChat', [
    plans[0] as object,
    plans[2] as object,
  ]),
  'threads/A thread.json': file(channel(3), 'A thread', 'GuildPublicThread', thread, {
    categoryId: channel(1),
    category: 'general',
  }),
  'threads/Private.json': file(channel(4), 'Hidden', 'GuildPrivateThread', [message(40, ada, 'hidden')], {
    categoryId: channel(1),
  }),
  'Direct.json': file(channel(5), 'Bo', 'DirectTextChat', [message(50, ada, 'hi'), message(51, bo, 'hi')]),
  'Alone.json': file(channel(6), 'Nobody', 'DirectTextChat', [message(60, ada, 'anybody?')]),
  'notes.json': '{"not": "of the exporter"}',
  [`${media}/kekw.png`]: 'png',
  [`${media}/wave.png`]: 'png',
  [`${media}/SPOILER_cat-5ADA6.png`]: 'cat',
};
