import { writeFileSync } from 'node:fs';
import { zipped } from '../test/support/archives.ts';
import { textsOf } from './crowd/words.ts';

const PEOPLE = 1_000;
const CHANNELS = 100;
/** Messages per channel and day. */
const PER_DAY = 100;
/** One in this many messages is a reply to the first message of its day. */
const REPLY_EVERY = 10;
/** One in this many messages has a reaction. */
const REACTION_EVERY = 5;
const FIRST_DAY = Date.UTC(2022, 0, 1) / 1_000;
const DAY_SECONDS = 24 * 60 * 60;

const idOf = (kind: string, number: number): string =>
  `${kind}${(100_000 + number).toString(36).toUpperCase()}`;

/** Writes a Slack export with this many messages. One in five has a reaction. */
export function writeSlack(path: string, messages: number): void {
  const users = Array.from({ length: PEOPLE }, (_, number) => ({
    id: idOf('U', number),
    name: `person${number}`,
    profile: { real_name: `Person ${number}`, email: `person${number}@example.com` },
  }));
  const members = users.map(({ id }) => id);
  const channels = Array.from({ length: CHANNELS }, (_, number) => ({
    ...{
      id: idOf('C', number),
      name: `channel-${number}`,
      created: FIRST_DAY - 1,
      creator: members[0],
      members,
    },
  }));
  const files: Record<string, string> = {
    'users.json': JSON.stringify(users),
    'channels.json': JSON.stringify(channels),
  };
  const textOf = textsOf(messages);
  for (let number = 0; number < messages; number += PER_DAY) {
    const day = number / PER_DAY;
    const channel = channels[day % CHANNELS] as { name: string };
    const start = FIRST_DAY + Math.floor(day / CHANNELS) * DAY_SECONDS;
    const rows = Array.from({ length: Math.min(PER_DAY, messages - number) }, (_, index) => ({
      type: 'message',
      user: members[(number + index * 7) % PEOPLE],
      ts: tsOf(start, index),
      text: `${textOf(number + index)} <@${members[index]}>`,
      ...(index % REPLY_EVERY === 1 && { thread_ts: tsOf(start, 0) }),
      ...(index % REACTION_EVERY === 0 && {
        reactions: [{ name: 'thumbsup', users: [members[index]], count: 1 }],
      }),
    }));
    files[`${channel.name}/${new Date(start * 1_000).toISOString().slice(0, 10)}.json`] =
      JSON.stringify(rows);
  }
  writeFileSync(path, zipped(files));
}

const tsOf = (start: number, index: number): string => `${start + index * 60}.000100`;
