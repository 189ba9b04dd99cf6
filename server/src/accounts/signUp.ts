import type { RowOf } from '../db/schema.ts';
import { ApiError, invalid } from '../errors.ts';
import type { SignUp } from '../limits/runtime.ts';
import { act } from '../operations/act.ts';
import type { Call } from '../operations/call.ts';
import { sampleId } from '../operations/examples.ts';
import { body, name, optional, reference, text } from '../operations/fields.ts';
import { personActor, type Work } from '../operations/work.ts';
import { load } from '../resources/common.ts';
import { isLive, loadInvite, useInvite } from '../resources/invite.ts';
import { addMember } from '../resources/serverMember/join.ts';
import { addUser, MAX_USERNAME_CHARACTERS, requireOwnUsername } from '../resources/user.ts';
import { putAccount } from './account.ts';
import { newPassword } from './fields.ts';
import { signIn } from './history/signIn.ts';
import { linkOf, useLink } from './link.ts';
import { hashPassword, requireStrong } from './password.ts';
import { person, personOf } from './personRecord.ts';

/**
 * The permission to sign up: a server's invite, an operator's link, or both. Neither is needed if sign-up is
 * open.
 */
interface Ticket {
  invite: RowOf<'invite'> | undefined;
  link: RowOf<'link'> | undefined;
}

export const signUpOperations = [
  act({
    operation: 'personSignUp',
    people: true,
    conflict: true,
    open: true,
    path: '/sign-up',
    resource: 'person',
    verb: 'insert',
    summary: 'Sign up',
    description:
      'Signs you in and sets the session cookie. The setting `signUp` determines who can sign up; a link from the operator always works. With an invite you also join its server.',
    body: body({
      username: text({
        min: 1,
        max: MAX_USERNAME_CHARACTERS,
        description: 'Unique; only the characters a–z 0–9 _ . -',
        examples: ['ada'],
      }),
      name: optional(name('Display name (default: the username)', 'Ada Lovelace')),
      password: newPassword,
      inviteId: optional(reference('The id or code of an invite to a server')),
      token: optional(reference('The part after # in a link from the operator')),
    }),
    examples: {
      'With an invite': {
        username: 'ada',
        password: 'correct horse battery staple',
        inviteId: sampleId('invite'),
      },
    },
    answer: person,
    check({ body }) {
      requireOwnUsername(body.username);
    },
    async run(call, { body }) {
      const { username, password } = body;
      await requireStrong('password', password, username, body.name);
      const { signUp } = await call.services.settings.current();
      const { invite } = await ticketOf({ ...pick(call), signUp }, body);
      if (invite)
        await requireStrong('password', password, (await load(call.db, 'server', invite.serverId)).name);
      const hash = await hashPassword(call.address, password);
      const { token, userId } = await call.write(async (work) => {
        const ticket = await ticketOf({ ...pick(work), signUp }, body);
        const userId = await makePerson(
          work,
          { username, name: body.name ?? username },
          ticket,
          (userId, email) => putAccount(work, { userId, hash, email }),
        );
        return { token: await signIn(work, { userId, method: 'password', isNew: true }), userId };
      }, invite?.serverId);
      return { data: await personOf(call.db, userId, call.now), token };
    },
  }),
];

/**
 * Creates the user, who becomes the write's actor, creates their account with `makeAccount`, and adds them to
 * the invite's server. Throws UniqueViolation or NOT_FOUND.
 */
export async function makePerson(
  work: Work,
  { username, name }: { username: string; name: string },
  { link, invite }: Ticket,
  makeAccount: (userId: string, email: string | null) => Promise<unknown>,
): Promise<string> {
  const user = await addUser(work, { username, name, type: 'person', platformAdmin: false });
  work.actAs(personActor(user.id));
  if (link) await useLink(work.db, link);
  await makeAccount(user.id, link?.email ?? null);
  if (invite) {
    await addMember(work, { serverId: invite.serverId, user });
    await useInvite(work, invite);
  }
  return user.id;
}

const pick = ({ db, now }: Pick<Call, 'db' | 'now'>) => ({ db, now });

/**
 * Finds the invite and link that permit the sign-up. Throws FORBIDDEN if sign-up is not permitted, NOT_FOUND
 * if the invite or link does not exist, and INVALID_REQUEST if the link is for another purpose.
 */
export async function ticketOf(
  { db, now, signUp }: Pick<Call, 'db' | 'now'> & { signUp: SignUp },
  { inviteId, token }: { inviteId?: string; token?: string },
): Promise<Ticket> {
  const link = token === undefined ? undefined : await linkOf(db, token, now);
  if (link && link.purpose !== 'signUp')
    throw invalid('wrong_kind', 'token', 'is a link for another account');
  const invite = inviteId === undefined ? undefined : await loadInvite(db, inviteId);
  if (invite) await load(db, 'server', invite.serverId);
  if (invite && !isLive(invite, now)) throw refused('this invite has expired or has no uses left');
  if (signUp === 'closed' && !link) throw refused("sign-up is closed. Ask the server's operator for a link");
  if (signUp === 'invite' && !link && !invite) throw refused('you need an invite to a server to sign up');
  return { invite, link };
}

const refused = (message: string): ApiError =>
  new ApiError('FORBIDDEN', message, { rule: 'person: as the setting signUp allows', have: [], need: [] });
