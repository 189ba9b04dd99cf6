import { find, insert } from '../db/statements.ts';
import { ApiError, notFound } from '../errors.ts';
import { Type } from '../lib/schema.ts';
import { type ActCall, act } from '../operations/act.ts';
import { provenAtOf } from '../operations/call.ts';
import { body, record, text } from '../operations/fields.ts';
import { load } from '../resources/common.ts';
import { cellOf, confirm, newRecoveryCodes, removeFactor } from './codes.ts';
import { notify } from './notices.ts';
import { person, personOf } from './personRecord.ts';
import { newTotpSecret, totpUri } from './totp.ts';

const newFactor = record('NewSecondFactor', {
  secret: text({
    max: 100,
    description: 'To be typed into an app, in base32. No other answer has it',
    examples: ['the secret in base32'],
  }),
  uri: text({
    max: 1000,
    description: 'The same as an address, to be shown as a QR code',
    examples: ['otpauth://totp/Palaver:ada?secret=…&issuer=Palaver'],
  }),
});

const recoveryCodes = record('RecoveryCodes', {
  codes: Type.Array(text({ max: 100 }), {
    description: 'Each is good once, in place of a code of the app. Keep them: no other answer has them',
    examples: [['ABCD-EFGH-IJKL-MNOP']],
  }),
});

export const code = text({
  max: 100,
  description: 'Six digits of the app, or a recovery code',
  examples: ['123456'],
});

/** The person's authenticator app. Throws NOT_FOUND if they have none. */
async function factorOf({ db, principal }: Pick<ActCall, 'db' | 'principal'>) {
  const found = await db.first(find('secondFactor', { id: principal.userId }));
  if (!found) throw notFound('second factor');
  return found;
}

export const secondFactorOperations = [
  act({
    operation: 'personSecondFactor',
    people: true,
    method: 'POST',
    path: '/second-factor',
    resource: 'person',
    verb: 'update',
    summary: 'Begin with a second factor',
    description:
      'Makes the secret of an app that shows codes (TOTP). Codes are asked for once you have confirmed it with a first one.',
    answer: newFactor,
    proven: true,
    async run(call) {
      const { principal } = call;
      const user = await load(call.db, 'user', principal.userId);
      const secret = newTotpSecret(call.services.deps.randomBytes);
      const row = await call.writeOnAccount(user.id, async ({ db, newRow, services: { seal } }) => {
        const known = await db.first(find('secondFactor', { id: user.id }));
        if (known && known.confirmedAt !== null)
          throw new ApiError(
            'ALREADY_EXISTS',
            'you have a second factor: remove it before you begin with another',
          );
        await removeFactor({ db }, user.id);
        const sealed = seal.seal(secret, cellOf(user.id));
        const made = {
          ...newRow(),
          id: user.id,
          sealed,
          confirmedAt: null,
          lastStep: 0,
          failures: 0,
          lockedUntil: 0,
        };
        await db.run(insert('secondFactor', made));
        return made;
      });
      return { data: { ...row, secret, uri: totpUri(secret, user.username) } };
    },
  }),

  act({
    operation: 'personSecondFactorConfirm',
    people: true,
    method: 'POST',
    path: '/second-factor/confirm',
    resource: 'person',
    verb: 'update',
    summary: 'Confirm the second factor with a first code',
    description:
      'From now on a code is asked for when you sign in. The answer has recovery codes for the day the app is lost.',
    body: body({ code }),
    answer: recoveryCodes,
    proven: true,
    async run(call, { body }) {
      const data = await call.writeOnAccount(call.principal.userId, async (work) => {
        const factor = await factorOf(work);
        if (factor.confirmedAt !== null)
          throw new ApiError('ALREADY_EXISTS', 'your second factor is confirmed already');
        await confirm(work, factor, body.code);
        await notify(work, factor.id, 'secondFactorAdded');
        return { ...factor, codes: await newRecoveryCodes(work, factor.id) };
      });
      return { data };
    },
  }),

  act({
    operation: 'personRecoveryCodes',
    people: true,
    method: 'POST',
    path: '/recovery-codes',
    resource: 'person',
    verb: 'update',
    summary: 'Make new recovery codes',
    description: 'The codes before end.',
    answer: recoveryCodes,
    proven: true,
    async run(call) {
      const data = await call.writeOnAccount(call.principal.userId, async (work) => {
        const factor = await factorOf(work);
        if (factor.confirmedAt === null) throw notFound('second factor');
        await notify(work, factor.id, 'recoveryCodes');
        return { ...factor, codes: await newRecoveryCodes(work, factor.id) };
      });
      return { data };
    },
  }),

  act({
    operation: 'personSecondFactorDelete',
    people: true,
    method: 'DELETE',
    path: '/second-factor',
    resource: 'person',
    verb: 'update',
    summary: 'Remove your second factor',
    answer: person,
    proven: true,
    async run(call) {
      const { principal } = call;
      await call.writeOnAccount(principal.userId, async (work) => {
        const { confirmedAt } = await factorOf(work);
        await removeFactor(work, principal.userId);
        if (confirmedAt !== null) await notify(work, principal.userId, 'secondFactorRemoved');
      });
      return { data: await personOf(call.db, principal.userId, provenAtOf(call)) };
    },
  }),
];
