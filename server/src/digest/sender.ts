import type { FastifyBaseLogger } from 'fastify';
import type { Db, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import { FIRST_WAIT_MS, UNREAD_MS } from '../db/tables/emailDigest.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import { Outage } from '../lib/outage.ts';
import { Pulse } from '../lib/pulse.ts';
import { quietMinutes } from '../lib/quietHours.ts';
import { repeated } from '../lib/repeated.ts';
import type { Seal } from '../lib/seal.ts';
import { isBusy, type Outbox, post, recipientOf } from '../mail/outbox.ts';
import { type MailLanguage, mailWords } from '../mail/words.ts';
import { isPersonal, type Missed, missed } from '../push/missed.ts';
import { pushWords, titleOf } from '../push/words.ts';
import { unsubscribeKeyOf, unsubscribeUrl } from './link.ts';
import { digestWords } from './words.ts';

/** Poll interval for due digests. */
const LOOK_MS = 15_000;
/** Digests per query. */
const PAGE_ROWS = 100;
const MINUTE_MS = 60_000;
const MAX_WAIT_MS = 24 * 60 * 60_000;
/** The maximum number of messages listed in an email. */
const MAX_LISTED = 20;

export interface DigestOptions {
  db: Db;
  deps: Deps;
  seal: Seal;
  cursorKey: Uint8Array;
  outbox: Outbox;
  /** Schedules the polls. */
  pulse?: Pulse | undefined;
}

type Digest = RowOf<'emailDigest'>;

/**
 * Emails people about missed mentions and direct messages: the first email once a message has been unread for
 * ten minutes, then more at doubling intervals of up to a day until the person comes back. The transaction
 * that queues an email also advances the person's row with a compare-and-set, so that exactly one node queues
 * it, even if nodes are killed.
 */
export class DigestSender {
  readonly #options: DigestOptions;
  readonly #key: Uint8Array;
  readonly #looking: ReturnType<typeof repeated>;
  readonly #stopPolling: () => void;
  #isStopping = false;

  constructor(options: DigestOptions, log: FastifyBaseLogger) {
    this.#options = options;
    this.#key = unsubscribeKeyOf(options.cursorKey);
    this.#looking = repeated(() => this.#sendAll(), new Outage(log, 'sending email digests'));
    this.#stopPolling = (options.pulse ?? new Pulse()).every(LOOK_MS, () => void this.look());
  }

  /** Queues due digests. Resolves once done; never rejects. */
  look(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    return this.#looking.run();
  }

  /** For shutdown: waits for the transaction in progress. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopPolling();
    await this.#looking.ended();
  }

  async #sendAll(): Promise<void> {
    const { db, deps } = this.#options;
    const due = q.selectFrom('emailDigest').selectAll().where('dueAt', '<=', deps.now());
    for (let count = PAGE_ROWS; count === PAGE_ROWS && !this.#isStopping; ) {
      const rows = await db.read.all(due.orderBy('dueAt').limit(PAGE_ROWS));
      for (const row of rows) {
        if (this.#isStopping) return;
        await this.#handle(row);
      }
      count = rows.length;
    }
  }

  async #handle(row: Digest): Promise<void> {
    const { db, deps } = this.#options;
    const now = deps.now();
    const [person, user] = await Promise.all([
      db.read.first(find('person', { id: row.id })),
      db.read.first(find('user', { id: row.id })),
    ]);
    if (!person?.email || !person.emailVerified || !user || user.suspendedAt !== null)
      return this.#move(row, { dueAt: null });
    const quiet = quietMinutes(person.quietHours, now);
    if (quiet > 0) return this.#move(row, { dueAt: now + quiet * MINUTE_MS });
    const isBack = row.sentAt !== null && (await this.#isBackSince(row.id, row.sentAt));
    const earliest = row.sentAt === null || isBack ? 0 : row.sentAt + row.waitMs;
    if (now < earliest) return this.#move(row, { dueAt: earliest });
    const all = await missed(db.read, row.id, { after: row.notificationId }, now);
    const unread = all.filter(isPersonal);
    const oldest = unread.at(-1);
    if (!oldest) return this.#move(row, { dueAt: null });
    if (now < oldest.createdAt + UNREAD_MS) return this.#move(row, { dueAt: oldest.createdAt + UNREAD_MS });
    const waitMs = row.sentAt === null || isBack ? FIRST_WAIT_MS : Math.min(2 * row.waitMs, MAX_WAIT_MS);
    const sent = { dueAt: null, sentAt: now, waitMs, notificationId: (unread[0] as Missed).id };
    await this.#post(row, sent, user, person, unread);
  }

  /** Whether the person has used any of their browsers or apps since a time, in ms since the Unix epoch. */
  async #isBackSince(userId: string, at: number): Promise<boolean> {
    const used = q
      .selectFrom('session')
      .select('id')
      .where('userId', '=', userId)
      .where('lastUsedAt', '>', at);
    return (await this.#options.db.read.first(used.limit(1))) !== undefined;
  }

  /** Updates a row, unless the row has changed since it was read. */
  async #move(row: Digest, set: Partial<Digest>): Promise<void> {
    await this.#options.db.write((tx) => this.#moveIn(tx, row, set));
  }

  #moveIn(tx: Tx, { id, dueAt }: Digest, set: Partial<Digest>): Promise<number> {
    return tx.count(q.updateTable('emailDigest').set(set).where('id', '=', id).where('dueAt', '=', dueAt));
  }

  async #post(
    row: Digest,
    sent: Partial<Digest>,
    user: RowOf<'user'>,
    person: RowOf<'person'>,
    unread: readonly Missed[],
  ): Promise<void> {
    const { db, deps, seal, outbox } = this.#options;
    const url = unsubscribeUrl(outbox.address, this.#key, user.id);
    await db.write(async (tx) => {
      const now = deps.now(tx.time());
      if (await isBusy(tx, now, outbox)) {
        await this.#moveIn(tx, row, { dueAt: now + UNREAD_MS });
        return;
      }
      if ((await this.#moveIn(tx, row, sent)) !== 1) return;
      const email = person.email as string;
      const mail = {
        kind: 'digest' as const,
        userId: user.id,
        recipient: recipientOf(email),
        to: email,
        words: wordsOf(user.name, person, unread, outbox.address, url),
      };
      await post({ db: tx, newRow: () => newRow(deps, tx.time()), services: { seal } }, outbox, mail);
    });
  }
}

/**
 * Formats the content of a digest. It lists senders and channels but not messages, because emails pass
 * through many servers.
 */
function wordsOf(
  name: string,
  { language, pushContent }: RowOf<'person'>,
  unread: readonly Missed[],
  address: string,
  url: string,
) {
  const tag = (language !== null && Object.hasOwn(mailWords, language) ? language : 'en') as MailLanguage;
  const words = digestWords[tag];
  const shown = pushContent === 'nothing' ? [] : unread.slice(0, MAX_LISTED).reverse();
  const lines = shown.map((message) => {
    const title = titleOf(pushWords[tag], message);
    return message.isDirect ? title : `${title} (${message.server})`;
  });
  const rest = shown.length === 0 ? 0 : unread.length - shown.length;
  return {
    language: tag,
    subject: words.subject(String(unread.length), unread.length === 1),
    paragraphs: [
      `${words.greeting(name)} ${words.waiting(address)}`,
      ...lines,
      ...(rest > 0 ? [words.more(rest)] : []),
      words.reason,
    ],
    link: `${address}/`,
    unsubscribe: { url, label: words.unsubscribe },
  };
}
