import type { Json } from './world.ts';

/** The paths at which a direct message and its content can be read. */
export const readsOf = ({ dm, message, thread }: Record<'dm' | 'message' | 'thread', Json>): string[] => [
  `/channels/${dm.id}`,
  `/channels/${dm.id}/messages`,
  `/channels/${dm.id}/messages?q=zebra`,
  `/channels/${dm.id}/pins`,
  `/channels/${dm.id}/threads`,
  `/messages/${message.id}`,
  `/messages/${message.id}/reactions`,
  `/threads/${thread.id}`,
  `/threads/${thread.id}/info`,
];

/** A method, a path and a body. */
type Write = ['post' | 'patch' | 'delete', string, object?];

/** Requests that would change a direct message or its content. */
export const writesTo = ({
  dm,
  message,
  thread,
  pin,
  reaction,
}: Record<'dm' | 'message' | 'thread' | 'pin' | 'reaction', Json>): Write[] => [
  ['post', '/messages', { channelId: dm.id, content: 'I see you' }],
  ['post', '/messages', { threadId: thread.id, content: 'I see you' }],
  ['post', '/reactions', { messageId: message.id, emoji: '👀' }],
  ['post', '/threads', { channelId: dm.id, name: 'Mine' }],
  ['post', '/pins', { messageId: message.id }],
  ['post', '/indicators', { type: 'typing', channelId: dm.id }],
  ['post', '/messages/delete', { channelId: dm.id, ids: [message.id] }],
  ['patch', `/messages/${message.id}`, { content: 'Changed' }],
  ['patch', `/threads/${thread.id}`, { locked: true }],
  ['patch', `/channels/${dm.id}`, { name: 'Mine' }],
  ['delete', `/channels/${dm.id}`],
  ['delete', `/messages/${message.id}`],
  ['delete', `/threads/${thread.id}`],
  ['delete', `/pins/${pin.id}`],
  ['delete', `/reactions/${reaction.id}`],
];
