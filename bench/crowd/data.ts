import { setTimeout as sleep } from 'node:timers/promises';
import { addSession } from '../../server/src/accounts/session.ts';
import { createKey } from '../../server/src/cli/records/key.ts';
import { createMember } from '../../server/src/cli/records/member.ts';
import { createUser } from '../../server/src/cli/records/user.ts';
import { fileChunk } from '../../server/src/db/sqlite/authorIndex.ts';
import { SqliteDb } from '../../server/src/db/sqlite/index.ts';
import { insert } from '../../server/src/db/statements.ts';
import { appendEvent } from '../../server/src/feed/log.ts';
import { newRow } from '../../server/src/lib/deps.ts';
import { type Data, type DataConfig, openData } from '../../server/src/node/data.ts';
import { change } from '../../server/src/resources/change.ts';
import { addChannel } from '../../server/src/resources/channel/change.ts';
import { makeServer } from '../made.ts';
import { say } from '../report.ts';
import { textsOf } from './words.ts';

/** Rows written per transaction. */
const PEOPLE_PER_WRITE = 200;
const MESSAGES_PER_WRITE = 1_000;
/** The number of newest messages in each channel that people mark as read. */
const LATEST = 10;

export interface Amounts {
  people: number;
  /** Members who also have an API key. */
  keys: number;
  /**
   * Half of the messages are in the first channel. The other messages are distributed round-robin over the
   * other channels.
   */
  channels: number;
  messages: number;
  /** Only the newest messages have events. The log no longer contains events for older messages. */
  events: number;
  /** Additional servers, each with a key. */
  servers: number;
}

const FULL: Amounts = {
  people: 10_000,
  keys: 1_000,
  channels: 1_000,
  messages: 1_000_000,
  events: 200_000,
  servers: 1_000,
};

/** The amounts of data at a scale, where 1 is a large community. */
export const amountsAt = (size: number): Amounts =>
  Object.fromEntries(
    Object.entries(FULL).map(([name, amount]) => [name, Math.max(2, Math.round(amount * size))]),
  ) as unknown as Amounts;

export interface Person {
  id: string;
  token: string;
  /** Undefined for people without an API key: see `Amounts.keys`. */
  key?: string;
}

/** A large community, with the ids and credentials that its clients need. */
export interface Community {
  serverId: string;
  /** The owner's API key. */
  ownerKey: string;
  ownerId: string;
  people: Person[];
  /** The first channel has half of the messages. */
  channels: { id: string; latest: string[] }[];
  others: { serverId: string; channelId: string; key: string }[];
}

/** Creates a community in an empty database. */
export async function makeCommunity(place: DataConfig, amounts: Amounts): Promise<Community> {
  const data = await openData(place);
  try {
    const from = performance.now();
    const note = (what: string) =>
      say(`  ${what} after ${((performance.now() - from) / 1_000).toFixed(0)} s`);
    const { key: ownerKey, user, large } = await makeServer(data);
    const { serverId } = large;
    const people = await makePeople(data, serverId, amounts);
    note(`${people.length.toLocaleString('en')} people`);
    const ids = await change(data, async (work) => {
      const made: string[] = [];
      for (let number = 0; number < amounts.channels; number++) {
        const named = { serverId, name: `channel-${number}`, creatorId: user.id, roleIds: [] };
        made.push((await addChannel(work, named)).id);
      }
      return made;
    });
    const others = await makeOthers(data, amounts.servers);
    note(`${ids.length} channels and ${others.length} servers`);
    const latest = await makeMessages(data, { serverId, ids, people }, amounts);
    note(`${amounts.messages.toLocaleString('en')} messages`);
    await index(data);
    note('the search index');
    const channels = ids.map((id) => ({ id, latest: latest.get(id) ?? [] }));
    return { serverId, ownerKey, ownerId: user.id, people, channels, others };
  } finally {
    await data.db.close();
  }
}

async function makePeople(data: Data, serverId: string, { people, keys }: Amounts): Promise<Person[]> {
  const made: Person[] = [];
  while (made.length < people) {
    const end = Math.min(people, made.length + PEOPLE_PER_WRITE);
    const some = await change(
      data,
      async (work) => {
        const added: Person[] = [];
        for (let number = made.length; number < end; number++) {
          const { id } = await createUser(work, { username: `person${number}`, name: `Person ${number}` });
          await createMember(work, { server: serverId, user: id });
          const { token } = await addSession(work, { userId: id, device: null });
          const given = { server: serverId, user: id, flags: 'canEditData,canViewData' };
          const key = number < keys ? { key: (await createKey(work, given)).key } : {};
          added.push({ id, token, ...key });
        }
        return added;
      },
      serverId,
    );
    made.push(...some);
  }
  return made;
}

async function makeOthers(data: Data, amount: number): Promise<Community['others']> {
  const made: Community['others'] = [];
  while (made.length < amount) {
    const { key, small } = await makeServer(data, `bench${made.length}`);
    made.push({ serverId: small.serverId, channelId: small.id, key });
  }
  return made;
}

/**
 * Writes the same rows as sending the messages would, in fewer transactions. Returns the newest messages of
 * each channel.
 */
async function makeMessages(
  { db, deps }: Data,
  { serverId, ids, people }: { serverId: string; ids: readonly string[]; people: readonly Person[] },
  { messages, events }: Amounts,
): Promise<Map<string, string[]>> {
  const textOf = textsOf(messages);
  const latest = new Map<string, string[]>();
  for (let first = 0; first < messages; first += MESSAGES_PER_WRITE) {
    await db.write(async (tx) => {
      for (let number = first; number < Math.min(messages, first + MESSAGES_PER_WRITE); number++) {
        const half = number >> 1;
        const channelId = ids[number % 2 === 0 ? 0 : 1 + (half % (ids.length - 1))] as string;
        const creatorId = (people[number % people.length] as Person).id;
        const row = {
          ...newRow(deps, tx.time()),
          ...{ serverId, type: 'person' as const, channelId, isThreadReply: false, creatorId },
          ...{ content: textOf(number), deleted: false, editedAt: null, threadId: null, replyToId: null },
          ...{ pinned: false, reactions: [] },
        };
        await tx.run(insert('message', row));
        const others = latest.get(channelId) ?? [];
        latest.set(channelId, [...others, row.id].slice(-LATEST));
        if (number < messages - events) continue;
        const by = { actorId: creatorId, actor: 'person' as const, at: row.createdAt };
        await appendEvent(tx, {
          ...{ type: 'message.created', logId: serverId, channelId, userId: null },
          ...{ ...by, data: row },
        });
      }
    }, serverId);
  }
  return latest;
}

/** Indexes all messages now, instead of while the engine is idle. */
async function index({ db }: Data): Promise<void> {
  if (db instanceof SqliteDb) await db.write(async () => void fileAll(db));
  const { indexer } = db as SqliteDb;
  // Keeps the indexer from pausing between slices. It starts in a later turn of the event loop.
  indexer.hurry(Number.MAX_SAFE_INTEGER);
  await sleep(10);
  await indexer.settle();
}

function fileAll({ connection }: SqliteDb): void {
  while (fileChunk(connection).more);
}
