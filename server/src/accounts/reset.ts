import type { Reader } from '../db/contract.ts';
import { find } from '../db/statements.ts';
import { FIRST_ID } from '../lib/deps.ts';
import { isBusy, isFull, post, recipientOf } from '../mail/outbox.ts';
import { mailWords } from '../mail/words.ts';
import { act } from '../operations/act.ts';
import { body, record, text, time } from '../operations/fields.ts';
import { countAttempt } from './attempts.ts';
import { requireMail } from './email.ts';
import { addLink, lives, urlOf } from './link.ts';

/** Maximum resets per account and hour. */
const HOURLY_RESETS = 3;

const passwordReset = record('PasswordReset', {
  expiresAt: time('When the link in the email expires, if there is such an account'),
});

/**
 * The recipient of a reset. For an unknown name, or an account without an address, a fictitious recipient
 * causes the same work.
 */
interface Receiver {
  userId: string | null;
  to: string;
  name: string;
  username: string;
}

const nobody: Receiver = {
  userId: null,
  to: 'nobody@palaver.invalid',
  name: 'Nobody',
  username: 'nobody',
};

export const resetOperations = [
  act({
    operation: 'personPasswordReset',
    people: true,
    open: true,
    method: 'POST',
    path: '/password/reset',
    resource: 'person',
    verb: 'update',
    summary: 'Request a password reset',
    description:
      'Emails a reset link if the account exists and has an email address. The response is always the same. The link is for `POST /links/claim`, which requires a code if the account has two-factor authentication.',
    body: body({
      name: text({
        min: 1,
        max: 254,
        description: 'Your username or email address',
        examples: ['ada'],
      }),
    }),
    answer: passwordReset,
    async run(call, { body }) {
      const outbox = requireMail(call.services);
      // These attempts are counted separately from sign-ins, because requesting a reset must not lock anybody
      // out.
      await countAttempt(call, 'reset', body.name);
      const receiver = await receiverOf(call.db, body.name.toLowerCase());
      const recipient = recipientOf(body.name);
      const data = await call.write(async (work) => {
        const { db, now } = work;
        // Queries again, even for unknown names, because the address may have been changed or removed in the
        // meantime.
        const person = await db.first(find('person', { id: receiver.userId ?? FIRST_ID }));
        const isStill = person?.emailVerified && person.email === receiver.to;
        const { userId, to, name, username } = isStill ? receiver : nobody;
        const of = userId === null ? { recipient } : { userId };
        const isOver = (await isFull(db, now, 'reset', of, HOURLY_RESETS)) || (await isBusy(db, now, outbox));
        // An unsent link is harmless and expires.
        const link = await addLink(work, {
          purpose: 'reset',
          userId: userId ?? work.newRow().id,
          email: null,
        });
        const { greeting, reset } = mailWords[call.language];
        await post(work, outbox, {
          kind: 'reset',
          userId: isOver ? null : userId,
          recipient,
          to,
          words: reset(greeting(name, username), outbox.address, urlOf(outbox.address, link.token)),
          lifeMs: lives.reset,
        });
        return link.row;
      });
      return { data };
    },
  }),
];

/** Returns the recipient of a reset for this name. Runs the same reads for every name. */
async function receiverOf(db: Reader, name: string): Promise<Receiver> {
  const [byEmail, byName] = await Promise.all([
    db.first(find('person', { email: name })),
    db.first(find('user', { username: name })),
  ]);
  const userId = byEmail?.id ?? byName?.id ?? FIRST_ID;
  const [person, user] = await Promise.all([
    db.first(find('person', { id: userId })),
    db.first(find('user', { id: userId })),
  ]);
  if (!person?.email || !person.emailVerified || !user) return nobody;
  return { userId, to: person.email, name: user.name, username: user.username };
}
