import type { Config } from '../../config.ts';
import { find } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { addLink, urlOf } from '../../resources/person/link.ts';
import { CommandError } from '../commandError.ts';
import { userNamed } from '../people/find.ts';

type Place = Pick<Config, 'address' | 'port'>;

/** The address of links: where nothing is set, this machine's, as it serves. */
export const addressOf = ({ address, port }: Place): string => address || `http://localhost:${port}`;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const MAX_EMAIL_CHARACTERS = 254;

/** `palaver user invite`. Throws CommandError. */
export async function inviteUser(work: Work, given: { username?: string; email?: string }, place: Place) {
  const email = given.email?.toLowerCase() ?? null;
  if (email !== null && (!EMAIL.test(email) || email.length > MAX_EMAIL_CHARACTERS))
    throw new CommandError('--email must be an e-mail address');
  if (email !== null && (await work.db.first(find('person', { email }))))
    throw new CommandError('--email is the address of another account');
  if (given.username === undefined)
    return shown(await addLink(work, { purpose: 'signUp', userId: null, email }), place);
  const user = await personNamed(work, given.username);
  if (await work.db.first(find('person', { id: user.id })))
    throw new CommandError(
      `${user.username} has an account already: "palaver user password" makes a link for a new password`,
    );
  return shown(await addLink(work, { purpose: 'claim', userId: user.id, email }), place);
}

/** `palaver user password`. Throws CommandError. */
export async function resetPassword(
  work: Work,
  given: { username: string; withoutCode?: boolean },
  place: Place,
) {
  const user = await personNamed(work, given.username);
  if (!(await work.db.first(find('person', { id: user.id }))))
    throw new CommandError(
      `${user.username} has no account yet: "palaver user invite" makes a link to claim it`,
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
  if (user.type === 'agent') throw new CommandError(`${user.username} is an agent, which nobody signs in to`);
  return user;
}

const shown = ({ id, token, expiresAt }: Awaited<ReturnType<typeof addLink>>, place: Place) => ({
  id,
  url: urlOf(addressOf(place), token),
  expiresAt,
});
