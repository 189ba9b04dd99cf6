import { conditions, requireCondition } from '../../access/conditions.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, q, remove, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { act } from '../../operations/act.ts';
import { body, flag, name, nullable, optional, record, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { load, ownTarget, recordOf, touched } from '../../resources/common.ts';
import { listById } from '../../resources/lists.ts';
import { signIn } from '../history/signIn.ts';
import { notify } from '../notices.ts';
import { person, personOf } from '../personRecord.ts';
import { hasWayIn } from '../ways.ts';
import { boundTo, handleOf, registered } from './ceremony.ts';
import { CHALLENGE_MS, newChallenge, useChallenge } from './challenge.ts';
import { ALGORITHMS, assertion, creationOptions, registration, requestOptions } from './options.ts';
import { requireHost } from './place.ts';
import { descriptorsOf, optionsFor, passkeyOf } from './use.ts';

/** Maximum passkeys per person. */
const MAX_PASSKEYS = 20;

const passkey = record('Passkey', {
  name: name('The name that you gave the passkey', 'Phone'),
  origin: text({
    max: 300,
    description:
      'The site on which you created the passkey. The passkey works only for the host of this site',
    examples: ['https://chat.example.com'],
  }),
  backupEligible: flag('Whether the passkey can be synced to your other devices'),
  backedUp: flag('Whether the passkey was synced, as of its last use'),
  lastUsedAt: nullable(time()),
});
const toPasskey = recordOf(passkey);

const required = 'required' as const;

export const passkeyOperations = [
  read({
    operation: 'passkeys',
    people: true,
    withoutFactor: true,
    path: '/passkeys',
    tag: 'person',
    summary: 'List your passkeys',
    description: 'Returns the newest passkeys first.',
    visible: 'self',
    answer: passkey,
    list: 'many',
    target: ownTarget,
    async run({ db, principal }, input) {
      const rows = q.selectFrom('passkey').selectAll().where('userId', '=', principal.userId);
      return listById(db, rows, input, toPasskey, 'desc');
    },
  }),

  act({
    operation: 'passkeyOptions',
    people: true,
    withoutFactor: true,
    method: 'POST',
    path: '/passkeys/options',
    resource: 'person',
    verb: 'update',
    summary: 'Get options for a new passkey',
    description:
      'Returns options for `navigator.credentials.create`. They require user verification with a fingerprint, a face or the device PIN.',
    answer: creationOptions,
    proven: true,
    async run(call) {
      const host = requireHost(call);
      const { id, username, name } = await load(call.db, 'user', call.principal.userId);
      const data = {
        rp: { id: host, name: 'Palaver' },
        user: { id: handleOf(id), name: username, displayName: name },
        challenge: newChallenge(call, boundTo(call, 'register')),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout: CHALLENGE_MS,
        excludeCredentials: await descriptorsOf(call, id),
        authenticatorSelection: {
          residentKey: required,
          requireResidentKey: true,
          userVerification: required,
        },
        attestation: 'none',
      };
      return { data };
    },
  }),

  act({
    operation: 'passkeyInsert',
    people: true,
    withoutFactor: true,
    conflict: true,
    method: 'POST',
    path: '/passkeys',
    resource: 'person',
    verb: 'update',
    summary: 'Add a passkey',
    description: `Send the browser's response to the options, in the same session. A person can have at most ${MAX_PASSKEYS} passkeys.`,
    body: body({
      name: optional(name('A name to help you recognize the passkey; "Passkey" by default', 'Phone')),
      passkey: registration,
    }),
    answer: passkey,
    proven: true,
    async run(call, { body }) {
      const { userId } = call.principal;
      requireHost(call);
      const found = await registered(call, body.passkey);
      if (!found) throw unanswered();
      const made = await call.writeOnAccount(userId, async (work) => {
        const { db, newRow } = work;
        if (!(await useChallenge(work, found.challenge, found.expiresAt))) throw unanswered();
        if ((await db.all(find('passkey', { userId }))).length >= MAX_PASSKEYS)
          throw invalid(
            'quota',
            '',
            `you have reached the limit of ${MAX_PASSKEYS} passkeys. Remove one first`,
          );
        const row: RowOf<'passkey'> = {
          ...newRow(),
          ...found.made,
          userId,
          name: body.name ?? 'Passkey',
          lastUsedAt: null,
        };
        await db.run(insert('passkey', row));
        await notify(work, userId, 'passkeyAdded');
        return row;
      });
      return { data: toPasskey(made) };
    },
  }),

  write({
    operation: 'passkeyUpdate',
    people: true,
    path: '/passkeys/:id',
    resource: 'person',
    verb: 'update',
    summary: 'Rename a passkey',
    body: body({ name: name('A name to help you recognize the passkey', 'Phone') }),
    answer: passkey,
    async target({ db }, { params }) {
      const found = await load(db, 'passkey', params.id);
      return { serverId: null, ownerId: found.userId, found };
    },
    async run({ db, now }, { body }, { found }) {
      const set = { name: body.name, updatedAt: touched(found, now) };
      await db.run(update('passkey', found.id, set));
      return toPasskey({ ...found, ...set });
    },
  }),

  act({
    operation: 'passkeyDelete',
    people: true,
    method: 'DELETE',
    path: '/passkeys/:id',
    resource: 'person',
    verb: 'update',
    summary: 'Remove a passkey',
    description:
      'Your sessions stay signed in. The last way to sign in cannot be removed: without a password or a linked provider account, two passkeys must remain, or one that is backed up.',
    answer: passkey,
    proven: true,
    async target({ db }, { params }) {
      const found = await load(db, 'passkey', params.id);
      return { serverId: null, ownerId: found.userId };
    },
    async run(call, { params }) {
      const { userId } = call.principal;
      const found = await call.writeOnAccount(userId, async (work) => {
        const { db } = work;
        const found = await load(db, 'passkey', params.id);
        await db.run(remove('passkey', { id: found.id }));
        const isLeft = await hasWayIn(db, call, userId);
        requireCondition(call.principal, conditions.wayIn, { hasWayIn: isLeft });
        await notify(work, userId, 'passkeyRemoved');
        return found;
      });
      return { data: toPasskey(found) };
    },
  }),

  act({
    operation: 'passkeySignInOptions',
    people: true,
    open: true,
    path: '/sign-in/options',
    resource: 'session',
    verb: 'insert',
    onFullDisk: true,
    summary: 'Get options to sign in with a passkey',
    description:
      'Returns options for `navigator.credentials.get`. No username is needed. Request new options each time the sign-in page is shown.',
    answer: requestOptions,
    run: async (call) => ({ data: optionsFor(call, 'signIn') }),
  }),

  act({
    operation: 'passkeySignIn',
    people: true,
    open: true,
    path: '/sign-in/passkey',
    resource: 'session',
    verb: 'insert',
    onFullDisk: true,
    summary: 'Sign in with a passkey',
    description:
      'Sets the cookie of a new session. No code is required, because the passkey has verified the user.',
    body: body({ passkey: assertion }),
    answer: person,
    async run(call, { body }) {
      const { userId, use } = await passkeyOf(call, 'signIn', body.passkey);
      const token = await call.writeOnAccount(userId, async (work) => {
        await use(work);
        return signIn(work, { userId, method: 'passkey' });
      });
      return { data: await personOf(call.db, userId, call.now), token };
    },
  }),

  act({
    operation: 'personProofOptions',
    people: true,
    withoutFactor: true,
    method: 'POST',
    path: '/proof/options',
    resource: 'person',
    verb: 'update',
    summary: 'Get options to confirm your identity with a passkey',
    description: 'Returns options for `navigator.credentials.get` that list your passkeys.',
    answer: requestOptions,
    run: async (call) => ({
      data: optionsFor(call, 'prove', await descriptorsOf(call, call.principal.userId)),
    }),
  }),
];

const unanswered = () =>
  invalid('mismatch', 'passkey', 'does not match the options, or they have expired. Request new options');
