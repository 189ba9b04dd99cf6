import { Reading } from '../../web/replica/reading.ts';
import { Replica } from '../../web/replica/replica.ts';
import type { Api, Line, LiveEvent, Records } from '../../web/replica/types.ts';
import { FakeClock } from './fakeClock.ts';
import type { Json } from './world.ts';

const levels = { level: null, mutedUntil: null };
const counted = { countedFrom: 10, countedTo: 10 };
const channelRow = (channelId: string, messageId: string, unread: number, mentions: number) => ({
  ...{ channelId, messageId, unreadAt: 0, unread, mentions, ...levels, favorite: false, hidden: false },
});

/** The reading state of the user `me`, with the requests that it sends and the changes that it reports. */
function openReading() {
  const clock = new FakeClock();
  const replica = new Replica(() => {});
  replica.userId = 'me';
  const [changes, asked, drafts]: [string[], Json[], Json[]] = [[], [], []];
  const lines = new Map<string, Line>();
  const untold = new Map<string, { messageId: string; unreadAt: number }>();
  const server: { answer?: Json } = {};
  const personReading = async (input: Json) => {
    asked.push(input);
    if (server.answer) return server.answer;
    throw Object.assign(new Error('refused'), { status: 400 });
  };
  const reading = new Reading({
    ...{ replica, around: clock, api: (() => ({ personReading })) as unknown as Api },
    changed: (key) => void changes.push(key),
    lineOf: (id) => lines.get(id),
    drafts: (serverId, rows) => void drafts.push({ serverId, rows }),
    untold: (id) => untold.get(id),
  });
  return { clock, replica, changes, asked, drafts, lines, untold, server, reading };
}

/** The snapshot of the server, without its reading state. */
function serverSnapshot(): Records['Snapshot'] {
  const inServer = { serverId: 'server', kind: 'text', private: false };
  return {
    ...{
      server: { id: 'server' },
      user: { id: 'me' },
      categories: [],
      emoji: [],
      roles: [],
      reading: {},
      cursor: '',
    },
    channels: [
      { id: 'channel', ...inServer },
      { id: 'quiet', ...inServer },
    ],
    conversations: [{ id: 'dm', ...inServer, kind: 'dm', latestMessageId: 'm3' }],
    standing: { userId: 'me', roleIds: [], isServerCreator: false },
  } as unknown as Records['Snapshot'];
}

/**
 * The reading state of a server. In `channel`, three messages after `m2` are unread, one of them a mention; in its
 * `thread`, two after `m2`; in `quiet`, none after `m5`; and in the direct message `dm`, two after `m1`.
 */
export function countsStage() {
  const { clock, replica, changes, asked, drafts, lines, untold, server, reading } = openReading();
  const channels = [
    ...[channelRow('channel', 'm2', 3, 1), channelRow('quiet', 'm5', 0, 0), channelRow('dm', 'm1', 2, 0)],
  ];
  const serverAnswer = { serverId: 'server', ...levels, notifications: 1, ...counted, channels };
  const begun = replica.marks.begin();
  replica.snapshot(begun, serverSnapshot());
  const snapshot = (answer: Json = {}, since = replica.marks.begin()) => {
    reading.snapshot(since, { ...serverAnswer, ...answer } as unknown as Records['ReadingInServer']);
    replica.marks.end(since);
  };
  const threads = (row: Json = {}, since = replica.marks.begin()) => {
    const rows = [{ threadId: 'thread', messageId: 'm2', unreadAt: 0, unread: 2, ...row }];
    reading.threads(since, 'channel', {
      serverId: 'server',
      threads: rows,
      ...counted,
    } as unknown as Records['Reading']);
    replica.marks.end(since);
  };
  snapshot({}, begun);
  threads();
  let seq = 10;
  const event = (type: string, data: Json) =>
    reading.apply({
      ...{ type, serverId: 'server', seq: ++seq },
      data: { serverId: 'server', ...data },
    } as unknown as LiveEvent);
  /** An event about a message in `channel` by another user. */
  const message = (type: 'created' | 'deleted', id: string, data: Json = {}) =>
    event(`message.${type}`, { id, channelId: 'channel', threadId: null, creatorId: 'other', ...data });
  /** The requests to count again, within ten seconds from now. */
  const recounts = async (): Promise<Json[]> => {
    await clock.pass(10_000);
    return asked.splice(0);
  };
  /** The marker and counts of a channel or thread. */
  const of = (id: string) => {
    const row: Json | undefined = reading.channel(id) ?? reading.thread(id);
    return row && [row.messageId, row.unread, ...('mentions' in row ? [row.mentions] : [])];
  };
  const totals = () => {
    const { unread, mentions, direct, notifications } = reading.server('server');
    return { unread, mentions, direct, notifications };
  };
  /** Puts a channel's or thread's last messages, all by another user, into its line. */
  const cache = (id: string, ids: string[], rest: Partial<Line> = {}) => {
    const rows = ids.map((id) => ({ id, channelId: 'channel', serverId: 'server', creatorId: 'other' }));
    const since = replica.marks.begin();
    replica.reading(since, { message: rows as unknown as Records['ShownMessage'][] });
    replica.marks.end(since);
    lines.set(id, { ids, atStart: false, atEnd: true, ...rest });
  };
  changes.length = 0;
  return {
    ...{ reading, replica, clock, changes, drafts, lines, untold, server, serverAnswer },
    ...{ snapshot, threads, event, message, recounts, of, totals, cache },
  };
}
