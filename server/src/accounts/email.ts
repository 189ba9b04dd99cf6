import { find, remove, update } from '../db/statements.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { isMailAddress, MAX_ADDRESS_CHARACTERS } from '../mail/address.ts';
import { isBusy, isFull, type Outbox, post, recipientOf } from '../mail/outbox.ts';
import { mailWords } from '../mail/words.ts';
import { act } from '../operations/act.ts';
import { provenAtOf } from '../operations/call.ts';
import { body, record, reference, text, time } from '../operations/fields.ts';
import type { Services } from '../operations/services.ts';
import { touched } from '../resources/common.ts';
import { claimByAddress } from '../resources/placeholder.ts';
import { addLink, linkOf, lives, urlOf, useLink } from './link.ts';
import { notify } from './notices.ts';
import { person, personOf } from './personRecord.ts';

/** Maximum confirmation emails per hour to one address, and per person who requests them. */
const HOURLY_OF_ADDRESS = 3;
const HOURLY_OF_PERSON = 6;

const pendingEmail = record('PendingEmail', {
  email: text({ max: MAX_ADDRESS_CHARACTERS, examples: ['ada@example.com'] }),
  expiresAt: time('When the link in the email expires'),
});

/** Returns the mail queue. Throws FORBIDDEN if email is not configured. */
export function requireMail({ mail }: Pick<Services, 'mail'>): Outbox {
  if (mail) return mail;
  const message =
    'this server does not send email. Ask its operator for a link ("palaver user password --username …"), or to set PALAVER_MAIL';
  throw new ApiError('FORBIDDEN', message, { rule: 'person: email is configured', have: [], need: [] });
}

const tooMany = (message: string): ApiError =>
  new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': '3600' });

export const emailOperations = [
  act({
    operation: 'personEmail',
    people: true,
    method: 'POST',
    path: '/email',
    resource: 'person',
    verb: 'update',
    summary: 'Add or change your email address',
    description:
      'Emails a confirmation link to the address. Opening the link adds the address to your account. The response is the same if another account has the address.',
    body: body({ email: text({ min: 1, max: MAX_ADDRESS_CHARACTERS, examples: ['ada@example.com'] }) }),
    answer: pendingEmail,
    proven: true,
    check({ body }) {
      if (!isMailAddress(body.email.toLowerCase()))
        throw invalid('wrong_form', 'email', 'must be an email address such as ada@example.com');
    },
    async run({ services, principal: { userId }, writeOnAccount, language }, { body }) {
      const outbox = requireMail(services);
      const email = body.email.toLowerCase();
      const recipient = recipientOf(email);
      const data = await writeOnAccount(userId, async (work) => {
        const { db, now } = work;
        if (await isFull(db, now, 'email', { recipient }, HOURLY_OF_ADDRESS))
          throw tooMany('this address has already received several emails. Try again in an hour');
        if (await isFull(db, now, 'email', { userId }, HOURLY_OF_PERSON))
          throw tooMany('you have already requested several emails. Try again in an hour');
        if (await isBusy(db, now, outbox))
          throw tooMany('this server has reached its hourly email limit. Try again in an hour');
        const link = await addLink(work, { purpose: 'email', userId, email });
        await post(work, outbox, {
          kind: 'email',
          userId,
          recipient,
          to: email,
          words: mailWords[language].confirm(outbox.address, urlOf(outbox.address, link.token)),
          lifeMs: lives.email,
        });
        return { ...link.row, email };
      });
      return { data };
    },
  }),

  act({
    operation: 'personEmailVerify',
    people: true,
    conflict: true,
    method: 'POST',
    path: '/email/verify',
    resource: 'person',
    verb: 'update',
    summary: 'Confirm an email address',
    description:
      'Consumes the emailed link, which works once. You must be signed in as the person who requested it.',
    body: body({ token: reference('The part of the link after #') }),
    answer: person,
    async run(call, { body }) {
      const { principal } = call;
      const { userId } = principal;
      await call.writeOnAccount(userId, async (work) => {
        const { db, now } = work;
        const link = await linkOf(db, body.token, now);
        if (link.purpose !== 'email' || link.userId !== userId) throw notFound('link');
        await useLink(db, link);
        const found = await db.first(find('person', { id: userId }));
        if (!found) throw notFound('person');
        // Notifies both addresses: if an attacker stole the session, the previous address still reaches the
        // rightful owner.
        if (found.email !== link.email) await notify(work, userId, 'emailRemoved');
        const set = { email: link.email, emailVerified: true, updatedAt: touched(found, now) };
        await db.run(update('person', userId, set));
        if (link.email !== null) await claimByAddress(work, userId, link.email);
        await db.run(remove('link', { userId, purpose: 'reset' }));
        await notify(work, userId, 'emailAdded');
      });
      return { data: await personOf(call.db, userId, provenAtOf(call)) };
    },
  }),

  act({
    operation: 'personEmailDelete',
    people: true,
    method: 'DELETE',
    path: '/email',
    resource: 'person',
    verb: 'update',
    summary: 'Remove your email address',
    description: 'Links sent to that address stop working.',
    answer: person,
    proven: true,
    async run(call) {
      const { principal } = call;
      const { userId } = principal;
      await call.writeOnAccount(userId, async (work) => {
        const { db, now } = work;
        const found = await db.first(find('person', { id: userId }));
        if (!found || found.email === null) throw notFound('email address');
        await notify(work, userId, 'emailRemoved');
        const set = { email: null, emailVerified: false, updatedAt: touched(found, now) };
        await db.run(update('person', userId, set));
        for (const purpose of ['email', 'reset'] as const) await db.run(remove('link', { userId, purpose }));
      });
      return { data: await personOf(call.db, userId, provenAtOf(call)) };
    },
  }),
];
