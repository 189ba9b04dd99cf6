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
    description: 'The secret to type into an authenticator app, in base32. It is not shown again',
    examples: ['the secret in base32'],
  }),
  uri: text({
    max: 1000,
    description: 'The secret as a URI, to show as a QR code',
    examples: ['otpauth://totp/Palaver:ada?secret=…&issuer=Palaver'],
  }),
});

const recoveryCodes = record('RecoveryCodes', {
  codes: Type.Array(text({ max: 100 }), {
    description:
      'Each code can be used once, instead of a code from the authenticator app. Store them: they are not shown again',
    examples: [['ABCD-EFGH-IJKL-MNOP-QRST-UVWX']],
  }),
});

export const code = text({
  max: 100,
  description: 'Six digits from the app, or a recovery code',
  examples: ['123456'],
});

/** Finds the person's authenticator app. Throws NOT_FOUND if they have none. */
async function factorOf({ db, principal }: Pick<ActCall, 'db' | 'principal'>) {
  const found = await db.first(find('secondFactor', { id: principal.userId }));
  if (!found) throw notFound('two-factor authentication');
  return found;
}

export const secondFactorOperations = [
  act({
    operation: 'personSecondFactor',
    people: true,
    withoutFactor: true,
    method: 'POST',
    path: '/second-factor',
    resource: 'person',
    verb: 'update',
    summary: 'Set up two-factor authentication',
    description:
      'Creates the secret for an authenticator app (TOTP). Signing in requires a code once you have confirmed the setup with one.',
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
            'two-factor authentication is already on. Turn it off before you set it up again',
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
    withoutFactor: true,
    method: 'POST',
    path: '/second-factor/confirm',
    resource: 'person',
    verb: 'update',
    summary: 'Turn on two-factor authentication',
    description:
      'Confirms the app with one of its codes. From then on, signing in requires a code. Returns recovery codes, in case you lose the app.',
    body: body({ code }),
    answer: recoveryCodes,
    proven: true,
    async run(call, { body }) {
      const data = await call.writeOnAccount(call.principal.userId, async (work) => {
        const factor = await factorOf(work);
        if (factor.confirmedAt !== null)
          throw new ApiError('ALREADY_EXISTS', 'two-factor authentication is already on');
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
    summary: 'Create new recovery codes',
    description: 'The previous codes stop working.',
    answer: recoveryCodes,
    proven: true,
    async run(call) {
      const data = await call.writeOnAccount(call.principal.userId, async (work) => {
        const factor = await factorOf(work);
        if (factor.confirmedAt === null) throw notFound('two-factor authentication');
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
    summary: 'Turn off two-factor authentication',
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
