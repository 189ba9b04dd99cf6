import { firstTextOf, type Loose, sourceIdOf, textOf } from '../reading/loose.ts';
import type { Archive, Ids, PersonRow } from '../row.ts';
import type { SlackExport } from './layout.ts';
import { isMessage, isSystem, messagesAt } from './messages.ts';

/**
 * The people and bots of an export, by their Slack ids: those that are listed, and those that occur only as
 * authors.
 */
export class SlackPeople {
  readonly rows = new Map<string, PersonRow>();
  /** The user ids of bots, by the bot ids in their messages. */
  readonly #bots = new Map<string, string>();
  readonly #ids: Ids;

  constructor(users: readonly Loose[], ids: Ids) {
    this.#ids = ids;
    for (const user of users) this.#addUser(user);
  }

  idOf(slackId: string): string | undefined {
    return this.rows.get(slackId)?.id;
  }

  /** Returns the author of a message. Undefined if it has none. */
  authorOf(message: Loose): PersonRow | undefined {
    const user = sourceIdOf(message?.user) || sourceIdOf(message?.comment?.user);
    const bot = sourceIdOf(message?.bot_id);
    return this.rows.get(user || this.#bots.get(bot) || bot || namedBotOf(message));
  }

  /** Adds the author of a message if they are not listed, for example a member of another workspace. */
  addAuthorOf(message: Loose): void {
    if (this.authorOf(message) !== undefined) return;
    const user = sourceIdOf(message?.user) || sourceIdOf(message?.comment?.user);
    const bot = sourceIdOf(message?.bot_id) || namedBotOf(message);
    const name = firstTextOf(message?.bot_profile?.name, message?.username);
    if (user !== '') this.#add(user, 'person', message.user_profile, false);
    else if (bot !== '') this.#add(bot, 'agent', { name, real_name: name }, false);
  }

  #addUser(user: Loose): void {
    const id = sourceIdOf(user?.id);
    if (id === '' || this.rows.has(id)) return;
    const isBot = user.is_bot === true || id === 'USLACKBOT';
    const profile = {
      ...user.profile,
      name: user.name,
      real_name: firstTextOf(user.profile?.real_name, user.real_name),
    };
    this.#add(id, isBot ? 'agent' : 'person', profile, user.deleted !== true && user.is_stranger !== true);
    const bot = sourceIdOf(user.profile?.bot_id);
    if (bot !== '') this.#bots.set(bot, id);
    const row = this.rows.get(id);
    const email = textOf(user.profile?.email);
    if (row?.type === 'person' && email !== '' && user.is_email_confirmed !== false) row.email = email;
  }

  #add(slackId: string, type: 'person' | 'agent', profile: Loose, isMember: boolean): void {
    const username = firstTextOf(profile?.name, profile?.display_name, profile?.real_name, slackId);
    const name = firstTextOf(profile?.display_name, profile?.real_name, username);
    const id = this.#ids('person', slackId, 0);
    this.rows.set(slackId, { row: 'person', id, createdAt: 0, username, name, type, isMember });
  }
}

/**
 * Returns an id for the author of an old message from an integration, which has the author's name but no id.
 * Empty for other messages.
 */
const namedBotOf = (message: Loose): string =>
  message?.subtype === 'bot_message' && textOf(message.username) !== ''
    ? `bot ${textOf(message.username).slice(0, 100)}`
    : '';

/** Reads all messages once to find unlisted authors. */
export async function readPeople(
  archive: Archive,
  { users, channels }: SlackExport,
  ids: Ids,
): Promise<SlackPeople> {
  const people = new SlackPeople(users, ids);
  for (const { days } of channels)
    for (const path of days)
      for await (const message of messagesAt(archive, path))
        if (isMessage(message) && !isSystem(message)) people.addAuthorOf(message);
  return people;
}
