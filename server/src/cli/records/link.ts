import { addLink, lives, urlOf } from '../../accounts/link.ts';
import { mailFrom } from '../../config/mail.ts';
import type { Config } from '../../config.ts';
import { find } from '../../db/statements.ts';
import type { Seal } from '../../lib/seal.ts';
import { isMailAddress } from '../../mail/address.ts';
import { isBusy, post, recipientOf } from '../../mail/outbox.ts';
import type { Work } from '../../operations/work.ts';
import { CommandError } from '../commandError.ts';
import { userNamed } from '../people/find.ts';

type AddressSettings = Pick<Config, 'address' | 'port'>;

/** Returns the base URL of links. Defaults to this machine and the configured port. */
export const addressOf = ({ address, port }: AddressSettings): string =>
  address || `http://localhost:${port}`;

/** A new link: either its URL, which is shown once, or the email address to which it is sent. */
type MadeLink = { id: string; expiresAt: number } & ({ url: string } | { mailedTo: string });

/** Implements `palaver user invite`. Throws CommandError. */
export async function inviteUser(
  work: Work & { seal: Seal },
  given: { username?: string; email?: string; print?: boolean },
  config: Config,
): Promise<MadeLink> {
  const email = given.email?.toLowerCase() ?? null;
  if (email !== null && !isMailAddress(email)) throw new CommandError('--email must be an email address');
  if (email !== null && (await work.db.first(find('person', { email }))))
    throw new CommandError('--email belongs to another account');
  const made = (link: Link) =>
    email === null || given.print ? shown(link, config) : sent(work, link, email, config);
  if (given.username === undefined)
    return made(await addLink(work, { purpose: 'signUp', userId: null, email }));
  const user = await personNamed(work, given.username);
  const placeholder = await work.db.first(find('placeholder', { id: user.id }));
  if (placeholder?.accountId != null)
    throw new CommandError(`${user.username} was already claimed by another account`);
  if (await work.db.first(find('person', { id: user.id })))
    throw new CommandError(
      `${user.username} already has an account. To reset the password, run "palaver user password"`,
    );
  return made(await addLink(work, { purpose: 'claim', userId: user.id, email }));
}

/** Implements `palaver user password`. Throws CommandError. */
export async function resetPassword(
  work: Work,
  given: { username: string; withoutCode?: boolean },
  place: AddressSettings,
) {
  const user = await personNamed(work, given.username);
  if (!(await work.db.first(find('person', { id: user.id }))))
    throw new CommandError(
      `${user.username} has no account yet. To create a link to claim it, run "palaver user invite"`,
    );
  return shown(
    await addLink(work, {
      purpose: given.withoutCode ? 'recovery' : 'password',
      userId: user.id,
      email: null,
    }),
    place,
  );
}

async function personNamed({ db }: Work, username: string) {
  const user = await userNamed(db, username);
  if (user.type === 'agent') throw new CommandError(`${user.username} is an agent; agents cannot sign in`);
  return user;
}

type Link = Awaited<ReturnType<typeof addLink>>;

const shown = ({ id, token, expiresAt }: Link, place: AddressSettings) => ({
  id,
  url: urlOf(addressOf(place), token),
  expiresAt,
});

/**
 * If mail is configured, sends the link by email and does not show it, so opening the link proves that the
 * email was received. Throws CommandError.
 */
async function sent(
  work: Work & { seal: Seal },
  link: Link,
  email: string,
  config: Config,
): Promise<MadeLink> {
  const mail = mailFrom(config);
  if (!mail) return shown(link, config);
  if (await isBusy(work.db, work.now, mail))
    throw new CommandError(
      'the hourly email limit (mailHourly) is reached: try again later, or print the link with --print',
    );
  const { id, row, token, expiresAt } = link;
  // The email contains no names, because the recipient may be a stranger.
  const paragraphs = [
    `You have been invited to ${mail.address}. Open this link to set up your account:`,
    "The link works once and expires in a week. If you didn't expect this invitation, ignore this email.",
  ];
  const outbox = { ...mail, wake() {} };
  await post({ ...work, services: work }, outbox, {
    kind: 'invite',
    userId: row.userId,
    recipient: recipientOf(email),
    to: email,
    words: { subject: 'Set up your account', paragraphs, link: urlOf(mail.address, token) },
    lifeMs: lives[row.purpose],
  });
  return { id, mailedTo: email, expiresAt };
}
