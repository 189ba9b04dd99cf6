import { isListed } from '../../access/whereVisible.ts';
import { type Db, type Reader, Unavailable } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import type { LogPosition } from '../../feed/eventId.ts';
import { latestPosition } from '../../feed/positions.ts';
import { Weighted } from '../../lib/weighted.ts';
import { ChannelCounts } from './channelCounts.ts';
import { ChannelRows } from './channelRows.ts';
import { type News, newsBetween } from './news.ts';
import { type Own, OwnMessages } from './ownMessages.ts';

/** Maximum cached channels of all servers of this process. */
const MAX_CHANNELS = 20_000;
/** The weight, in channels, of a server whose channels are not loaded yet. */
const OF_SERVER = 10;
/** Maximum attempts to read the channels. One fails if roles change in the meantime. */
const MAX_TRIES = 5;
/** Maximum channels whose last removal is cached. */
const MAX_REMOVALS = 10_000;

/** Event types that remove no messages from their channel. All other types with a channel may remove some. */
const keepsMessages =
  /^(message\.(created|updated)|(channel|thread)\.(created|updated)|(reaction|pin|notification|attachment)\..*)$/;
/** Event types after which some messages in the channel may be hidden until a sweep has deleted them. */
const mayHide = /^(message|thread)\.deleted$/;

const channelsOf = prepare((p: { serverId: string }) =>
  q.selectFrom('channel').selectAll().where('serverId', '=', p.serverId).where(isListed),
);

const categoriesOf = prepare((p: { serverId: string }) =>
  q.selectFrom('category').selectAll().where('serverId', '=', p.serverId),
);

const emojiOf = prepare((p: { serverId: string }) =>
  q.selectFrom('emoji').selectAll().where('serverId', '=', p.serverId).orderBy('id'),
);

const rolesOf = prepare((p: { serverId: string }) =>
  q.selectFrom('role').selectAll().where('serverId', '=', p.serverId).orderBy('id'),
);

const beingSwept = (channelIds: readonly string[]) =>
  q.selectFrom('channel').select('id').where('id', 'in', channelIds).where('isBeingSwept', '=', true);

/**
 * Caches a server's channels, categories, roles, custom emoji and message counts at a position in the
 * server's log. Every change to them emits an event in the same transaction, so the cache is valid until
 * there are further events, regardless of which node wrote them.
 */
export class ServerState {
  readonly serverId: string;
  readonly epoch: string;
  readonly counts = new ChannelCounts();
  /**
   * Channels that may have hidden messages. No events report whether they do, so the database has to be
   * queried.
   */
  readonly mayBeSwept = new Set<string>();
  readonly #own: OwnMessages;
  /** For each channel, the last event that may have removed messages. */
  readonly #removals = new Map<string, number>();
  /** The sequence number of an event later than all removals that are no longer cached; 0 for none. */
  #forgotten = 0;
  readonly #weigh: (channels: number) => void;
  #seq: number;
  #rows: Promise<ChannelRows> | undefined;

  constructor(
    serverId: string,
    { seq, epoch }: LogPosition,
    own: OwnMessages,
    weigh: (state: ServerState, channels: number) => void,
  ) {
    this.serverId = serverId;
    this.#seq = seq;
    this.epoch = epoch;
    this.#own = own;
    this.#weigh = (channels) => weigh(this, channels);
  }

  /** The sequence number up to which events have been applied. */
  get seq(): number {
    return this.#seq;
  }

  /** Returns the channels, categories, roles and custom emoji at this state's position or later. */
  rows(db: Reader): Promise<ChannelRows> {
    if (this.#rows) return this.#rows;
    const rows = this.#load(db);
    this.#rows = rows;
    rows.then(
      ({ channels }) => this.#weigh(channels.length),
      () => {
        if (this.#rows === rows) this.#rows = undefined;
      },
    );
    return rows;
  }

  /** Returns the messages that a person has sent; undefined if unknown. */
  own(db: Reader, userId: string): Promise<Own | undefined> {
    return this.#own.of(db, this, userId);
  }

  /**
   * Returns the sequence number of the last event that may have removed messages of a channel, or of a later
   * event; 0 for none.
   */
  removedAt(channelId: string): number {
    return this.#removals.get(channelId) ?? this.#forgotten;
  }

  /** Returns the channels in which messages are due to be swept. */
  async swept(db: Reader): Promise<ReadonlySet<string>> {
    const { mayBeSwept, seq } = this;
    if (mayBeSwept.size === 0) return mayBeSwept;
    const asked = [...mayBeSwept];
    const ids = new Set((await db.all(beingSwept(asked))).map(({ id }) => id));
    if (this.seq === seq) for (const id of asked) if (!ids.has(id)) mayBeSwept.delete(id);
    return ids;
  }

  /** Applies the next event of the log. */
  apply({ seq, type, channelId, contentOf, data }: News): void {
    this.#seq = seq;
    if (
      /^(role|category|emoji)\./.test(type) ||
      (type.startsWith('channel.') && JSON.parse(data).kind !== 'dm')
    )
      this.#rows = undefined;
    if (channelId === null) return;
    if (type === 'message.created') {
      const { id = contentOf, creatorId } = JSON.parse(data);
      this.counts.sent(channelId, id);
      this.#own.sent(this, creatorId, channelId, id);
    }
    if (!keepsMessages.test(type)) {
      this.counts.drop(channelId);
      this.#noteRemoval(channelId, seq);
    }
    if (mayHide.test(type)) this.mayBeSwept.add(channelId);
  }

  #noteRemoval(channelId: string, seq: number): void {
    if (this.#removals.size >= MAX_REMOVALS) {
      this.#removals.clear();
      this.#forgotten = seq;
    }
    this.#removals.set(channelId, seq);
  }

  /**
   * Channels and roles are read by separate statements. Visibility depends on both, so no role may have
   * changed in between. Categories and emoji do not affect it.
   */
  async #load(db: Reader): Promise<ChannelRows> {
    let { seq, epoch }: LogPosition = this;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { serverId } = this;
      const [channel, role, category, emoji] = await Promise.all([
        db.all(channelsOf({ serverId })),
        db.all(rolesOf({ serverId })),
        db.all(categoriesOf({ serverId })),
        db.all(emojiOf({ serverId })),
      ]);
      const end = await latestPosition(db, serverId);
      const news = await newsBetween(db, serverId, { seq, epoch }, end.seq);
      if (news && !news.some(({ type }) => type.startsWith('role.') || type === 'import.finished')) {
        for (const { id, isBeingSwept } of channel) if (isBeingSwept) this.mayBeSwept.add(id);
        return new ChannelRows({ channel, role, category, emoji });
      }
      ({ seq, epoch } = end);
    }
    throw new Unavailable('the roles of the server change too often');
  }
}

/** Caches the states of the most recently read servers. There is one instance per database. */
export class ServerStates {
  readonly own = new OwnMessages();
  readonly #states = new Weighted<string, ServerState>(MAX_CHANNELS);

  static readonly #ofDbs = new WeakMap<Db, ServerStates>();

  static of(db: Db): ServerStates {
    const known = ServerStates.#ofDbs.get(db) ?? new ServerStates();
    ServerStates.#ofDbs.set(db, known);
    return known;
  }

  /** The number of cached servers. */
  get size(): number {
    return this.#states.size;
  }

  /** Returns the state of a server at a position in its log, or later. */
  async at(db: Reader, serverId: string, place: LogPosition): Promise<ServerState> {
    const known = this.#states.get(serverId);
    if (known?.epoch === place.epoch) {
      if (known.seq >= place.seq) return known;
      const news = await newsBetween(db, serverId, known, place.seq);
      // The cache is not used after an import, because imports change rows without events.
      const isReplaced = news?.some(({ type }) => type === 'import.finished') ?? true;
      for (const one of isReplaced ? [] : (news ?? [])) if (one.seq === known.seq + 1) known.apply(one);
      if (known.seq >= place.seq) return known;
    }
    const now = this.#states.get(serverId);
    if (now && now !== known && now.epoch === place.epoch && now.seq >= place.seq) return now;
    const fresh = new ServerState(serverId, place, this.own, (state, channels) => {
      if (this.#states.peek(serverId) === state) this.#states.set(serverId, state, OF_SERVER + channels);
    });
    this.#states.set(serverId, fresh, OF_SERVER);
    return fresh;
  }
}
