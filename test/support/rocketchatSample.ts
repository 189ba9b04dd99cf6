import type { Files } from './archives.ts';

/** A handwritten Rocket.Chat dump, modelled on real collections. */

type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | Buffer
  | readonly Value[]
  | { [key: string]: Value };
type Document = { [key: string]: Value };

function bsonOf(document: Document | readonly Value[]): Buffer {
  const parts = Object.entries(document)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const [type, data] = elementOf(value as Value);
      return Buffer.concat([Buffer.of(type), Buffer.from(`${key}\0`), data]);
    });
  const body = Buffer.concat([...parts, Buffer.of(0)]);
  return Buffer.concat([int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function elementOf(value: Value): [number, Buffer] {
  if (typeof value === 'string')
    return [2, Buffer.concat([int32(Buffer.byteLength(value) + 1), Buffer.from(`${value}\0`)])];
  if (typeof value === 'boolean') return [8, Buffer.of(value ? 1 : 0)];
  if (value === null || value === undefined) return [10, Buffer.of()];
  if (typeof value === 'number') {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return [16, int32(value)];
    const double = Buffer.alloc(8);
    double.writeDoubleLE(value);
    return [1, double];
  }
  if (value instanceof Date) {
    const time = Buffer.alloc(8);
    time.writeBigInt64LE(BigInt(value.getTime()));
    return [9, time];
  }
  if (Buffer.isBuffer(value)) return [5, Buffer.concat([int32(value.length), Buffer.of(0), value])];
  return [Array.isArray(value) ? 4 : 3, bsonOf(value as Document)];
}

const START = 1_600_000_000_000;
const at = (second: number): Date => new Date(START + second * 1_000);
const [ada, bo] = [
  { _id: 'uAda', username: 'ada', name: 'Ada' },
  { _id: 'uBo', username: 'bo.b', name: 'Bo' },
];
const message = (second: number, rid: string, u: Document, msg: string, more: Document = {}): Document => ({
  _id: `m${second}`,
  rid,
  u,
  msg,
  ts: at(second),
  _updatedAt: at(second),
  ...more,
});

export const rocketchatDocuments: Record<string, Document[]> = {
  users: [
    {
      ...ada,
      type: 'user',
      active: true,
      createdAt: at(-100),
      emails: [{ address: 'ada@example.com', verified: true }],
    },
    { ...bo, type: 'user', active: false, emails: [{ address: 'bo@example.com', verified: false }] },
    {
      _id: 'rocket.cat',
      username: 'rocket.cat',
      name: 'Rocket.Cat',
      type: 'bot',
      avatar: Buffer.from('png'),
    },
  ],
  rocketchat_room: [
    { _id: 'GENERAL', t: 'c', name: 'general', ts: at(-50), topic: 'Everything', u: ada },
    { _id: 'rSecret', t: 'p', name: 'secret', fname: 'Secret', ts: at(-40), ro: true },
    { _id: 'rDirect', t: 'd', ts: at(-30), uids: ['uAda', 'uBo'], usernames: ['ada', 'bo.b'] },
    { _id: 'rSelf', t: 'd', uids: ['uAda'], usernames: ['ada'] },
    { _id: 'rLive', t: 'l', name: 'visitor' },
  ],
  rocketchat_subscription: [{ _id: 's1', rid: 'rSecret', u: bo }],
  rocketchat_custom_emoji: [{ _id: 'e1', name: 'pirate', extension: 'png', aliases: [] }],
  rocketchat_message: [
    message(1, 'GENERAL', bo, 'bo.b', { t: 'uj' }),
    // A reply listed before the message it replies to.
    message(5, 'GENERAL', bo, 'in the thread', { tmid: 'm2' }),
    message(2, 'GENERAL', ada, 'Hello @bo.b, see #general *now* `@bo.b` :tada: :pirate:', {
      tcount: 1,
      editedAt: at(90),
      pinned: true,
      pinnedAt: at(91),
      reactions: { ':thumbsup:': { usernames: ['ada', 'gone'] }, ':pirate:': { usernames: ['bo.b'] } },
    }),
    message(3, 'GENERAL', ada, 'first version', { _hidden: true, parent: 'm2' }),
    message(4, 'GENERAL', ada, '', { t: 'rm' }),
    message(6, 'GENERAL', ada, 'under a removed message', { tmid: 'm4' }),
    message(7, 'GENERAL', ada, 'ships', { t: 'room_changed_topic' }),
    message(8, 'GENERAL', ada, '', {
      files: [
        { _id: 'f1', name: 'plan.txt', size: 4 },
        { _id: 'f2', name: 'absent.png' },
        { _id: 'f3', name: 'thumb-absent.png' },
      ],
      attachments: [{ title: 'plan.txt', title_link: '/file-upload/f1/plan.txt', description: 'the plan' }],
    }),
    message(9, 'GENERAL', bo, '[ ](https://chat.example.com/channel/general?msg=m2) yes', {
      attachments: [{ text: 'Hello', message_link: 'https://chat.example.com/channel/general?msg=m2' }],
    }),
    message(10, 'rSecret', bo, 'secret'),
    message(11, 'rDirect', ada, 'direct'),
    message(12, 'rSelf', ada, 'to myself'),
    message(13, 'rLive', ada, 'to a visitor'),
    message(14, 'GENERAL', { _id: 'uGone', username: 'gone' }, 'from somebody who is gone'),
    message(15, 'rDirect', ada, 'gibberish', { t: 'e2e' }),
  ],
};

const folder = 'dump/rocketchat';
const others = { [`${folder}/uploads/f1`]: 'plan', [`${folder}/emoji/pirate.png`]: 'png' };

/** The dump as written by `mongodump`. */
export const rocketchatSample: Files = {
  ...Object.fromEntries(
    Object.entries(rocketchatDocuments).map(([name, documents]) => [
      `${folder}/${name}.bson`,
      Buffer.concat(documents.map(bsonOf)),
    ]),
  ),
  ...others,
};

/** The dump as written by `mongoexport`, with one document per line. */
export const rocketchatJson: Files = {
  ...Object.fromEntries(
    Object.entries(rocketchatDocuments).map(([name, documents]) => [
      `${folder}/${name}.json`,
      documents
        .map((each) =>
          JSON.stringify(each, (key, value) => (/^ts$|At$/.test(key) ? { $date: value } : value)),
        )
        .join('\n'),
    ]),
  ),
  ...others,
};
