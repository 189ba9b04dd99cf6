import { remove, update } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { flagNames } from '../lib/flags.ts';
import { act } from '../operations/act.ts';
import { provenAtOf, sessionOf } from '../operations/call.ts';
import { body, optional, text } from '../operations/fields.ts';
import { knownBrowser } from '../operations/knownBrowsers.ts';
import { read } from '../operations/read.ts';
import { ownTarget } from '../resources/common.ts';
import { accountNamed, replaceHash, requireHash, wrongPassword } from './account.ts';
import { countAttempt } from './attempts.ts';
import { personClose } from './close.ts';
import { codeProblem } from './codes.ts';
import { emailOperations } from './email.ts';
import { entranceOperations } from './entrance.ts';
import { archiveOperations } from './export/archives.ts';
import { personExport } from './export/index.ts';
import { password } from './fields.ts';
import { grantOperations } from './grant.ts';
import { forgetSessionGuesses, noteGuess, requireUnblocked } from './guesses.ts';
import { historyOperations } from './history/index.ts';
import { clientOf, recordHistory } from './history/record.ts';
import { signIn } from './history/signIn.ts';
import { linkOperations } from './linkOperations.ts';
import { approvalOperations } from './oauth/approval.ts';
import { noteWrong, passwordOperations, provePassword } from './ownPassword.ts';
import { passkeyOperations } from './passkey/index.ts';
import { assertion } from './passkey/options.ts';
import { passkeyOf } from './passkey/use.ts';
import { hashPassword, isOutdated, isPassword } from './password.ts';
import { myself, person, personOf } from './personRecord.ts';
import { profileOperations } from './profile.ts';
import { providerOperations } from './provider/index.ts';
import { resetOperations } from './reset.ts';
import { code, secondFactorOperations } from './secondFactor.ts';
import { signUpOperations } from './signUp.ts';

export const personOperations = [
  ...signUpOperations,
  ...entranceOperations,
  ...secondFactorOperations,
  ...passwordOperations,
  ...passkeyOperations,
  ...approvalOperations,
  ...grantOperations,
  ...emailOperations,
  ...resetOperations,
  ...providerOperations,
  ...profileOperations,
  ...historyOperations,
  ...linkOperations,
  personClose,
  personExport,
  ...archiveOperations,

  act({
    operation: 'personSignIn',
    people: true,
    open: true,
    path: '/sign-in',
    resource: 'session',
    verb: 'insert',
    onFullDisk: true,
    summary: 'Sign in with a password',
    description:
      'Sets the cookie of a new session. A wrong password and an unknown username both return UNAUTHORIZED. If a code is required, `details.need` is `code`: ask for the code and repeat the request with it.',
    body: body({
      name: text({
        min: 1,
        max: 254,
        description: 'Your username or email address',
        examples: ['ada'],
      }),
      password,
      code: optional(code),
    }),
    answer: person,
    async run(call, { body }) {
      const found = await accountNamed(call, body.name);
      const known = found && knownBrowser(call.services.peopleKey, call.known, found);
      await countAttempt(call, 'name', body.name, known);
      const guessed = { userId: found?.userId ?? null, name: body.name };
      if (known === undefined) await requireUnblocked(call, guessed);
      if (!(await isPassword(call.address, body.password, found?.password)) || !found) {
        if (found) call.services.failedAttempts.note(found.userId, 'signInFailed', call);
        if (known === undefined) await call.write((work) => noteGuess(work, guessed));
        throw wrongPassword();
      }
      const { userId, password: hash } = found;
      const upgraded = isOutdated(hash) ? await hashPassword(call.address, body.password) : undefined;
      const token = await call.writeOnAccount(userId, async (work) => {
        await requireHash(work, userId, hash);
        const problem = await codeProblem(work, userId, body.code, known !== undefined);
        if (problem && body.code !== undefined && known === undefined) await noteGuess(work, guessed);
        if (problem) return problem;
        if (upgraded !== undefined) await replaceHash(work, userId, upgraded);
        return signIn(work, { userId, method: 'password', isKnown: known !== undefined });
      });
      if (typeof token !== 'string') throw token;
      return { data: await personOf(call.db, userId, call.now), token };
    },
  }),

  act({
    operation: 'personSignOut',
    people: true,
    withoutFactor: true,
    method: 'POST',
    path: '/sign-out',
    resource: 'session',
    verb: 'delete',
    summary: 'Sign out',
    description: 'Revokes this session and clears its cookie.',
    answer: person,
    async run(call) {
      const { principal } = call;
      const data = await personOf(call.db, principal.userId, provenAtOf(call));
      const { userId } = principal;
      await call.writeOnAccount(userId, async (work) => {
        await work.db.run(remove('session', { id: sessionOf(call)?.id as string }));
        await recordHistory(work, { userId, type: 'signedOut', ...clientOf(call) });
      });
      return { data, token: null };
    },
  }),

  read({
    operation: 'personMe',
    people: true,
    withoutFactor: true,
    path: '/me',
    tag: 'person',
    summary: 'Get your account and your permissions in a server',
    visible: 'self',
    answer: myself,
    target: ownTarget,
    async run(call) {
      const { db, principal, services } = call;
      const { userId, serverId, roleIds, flags, isServerCreator } = principal;
      const key = await services.pushKey().catch(() => undefined);
      const standing = {
        serverId,
        roleIds,
        flags: flagNames.filter((name) => flags.has(name)),
        isServerCreator,
        pushKey: key?.publicKey ?? null,
        hasCalls: services.callUrl !== '',
      };
      return { ...(await personOf(db, userId, provenAtOf(call))), ...standing };
    },
  }),

  act({
    operation: 'personProve',
    people: true,
    withoutFactor: true,
    method: 'POST',
    path: '/proof',
    resource: 'person',
    verb: 'update',
    onFullDisk: true,
    summary: 'Confirm your identity',
    description:
      'Send your password or a passkey. The proof is valid for ten minutes in this session. With two-factor authentication, a password also requires a `code`: without a code, the response is UNAUTHORIZED with `details.need`, as when you sign in. Sensitive operations require a proof. Without one, they return FORBIDDEN with a rule that starts with `proof`.',
    body: body({ password: optional(password), code: optional(code), passkey: optional(assertion) }),
    examples: { 'With the password': { password: 'correct horse battery staple' } },
    answer: person,
    check({ body: { password, passkey } }) {
      if (password === undefined && passkey === undefined)
        throw invalid('missing', 'password', 'is required, unless you use a passkey');
      if (password !== undefined && passkey !== undefined)
        throw invalid('not_together', 'passkey', 'cannot be combined with a password');
    },
    async run(call, { body }) {
      const { principal } = call;
      const sessionId = sessionOf(call)?.id as string;
      const by = body.passkey ? await passkeyOf(call, 'prove', body.passkey) : undefined;
      if (body.password !== undefined) await provePassword(call, body.password);
      const provenAt = await call.writeOnAccount(principal.userId, async (work) => {
        await by?.use(work);
        // A passkey has verified the user, so no code is needed.
        const problem = by ? undefined : await codeProblem(work, principal.userId, body.code);
        if (problem) return problem;
        await work.db.run(update('session', sessionId, { provenAt: work.now }));
        await forgetSessionGuesses(work, sessionId);
        return work.now;
      });
      if (typeof provenAt !== 'number') {
        if (body.code !== undefined && provenAt.code === 'UNAUTHORIZED') await noteWrong(call);
        throw provenAt;
      }
      return { data: await personOf(call.db, principal.userId, provenAt) };
    },
  }),
];
