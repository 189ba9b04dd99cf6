import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, q } from '../../db/statements.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { type ActCall, act } from '../../operations/act.ts';
import {
  body,
  flag,
  MAX_NAME_CHARACTERS,
  name,
  named,
  nullable,
  oneOf,
  optional,
  record,
  text,
  time,
} from '../../operations/fields.ts';
import { recordOf } from '../../resources/common.ts';
import { countAttempt } from '../attempts.ts';
import { isLikeOwnName, requireDistinct } from './clientNames.ts';
import { requireLoopback } from './loopback.ts';
import { newCode, typedCode } from './userCodes.ts';

/** Lifetime of a code that a browser passes to an app immediately. */
const REDIRECT_MS = 2 * 60_000;
/** Maximum unexchanged codes per person. */
const MAX_CODES = 20;

const client = text({
  max: MAX_NAME_CHARACTERS,
  description: 'The name that the app gives itself; not verified',
  examples: ['Palaver for Linux'],
});
const device = named(
  text({
    max: MAX_NAME_CHARACTERS,
    description: 'The device name that the app provides',
    examples: ["Ada's laptop"],
  }),
);

const approval = record('Approval', {
  userCode: text({
    max: 20,
    description: 'The code that the app displays: both must match',
    examples: ['BCDF-GHJK'],
  }),
  client,
  device: nullable(device),
  address: text({
    max: 100,
    description: 'The IP address of the app',
    examples: ['203.0.113.7'],
  }),
  isSameAddress: flag('Your IP address is the same, so the device is probably nearby', true),
  status: oneOf(['pending', 'approved', 'denied']),
  expiresAt: time(),
});
const toApproval = recordOf(approval);

const codeBody = body({
  userCode: text({ min: 1, max: 100, description: 'As displayed by the app', examples: ['BCDF-GHJK'] }),
});

const shown = (row: RowOf<'approval'>, userCode: string, { address }: ActCall) =>
  toApproval({ ...row, userCode, isSameAddress: row.address === address });

/** The pending app that shows this code. Records an attempt. Throws NOT_FOUND or RATE_LIMITED. */
async function waiting(call: ActCall, typed: string) {
  await countAttempt(call, 'userCode', call.principal.userId);
  const userCode = typedCode(typed);
  const found =
    userCode === undefined
      ? undefined
      : await call.db.first(find('approval', { userCodeDigest: digestOf(userCode) }));
  if (!found || userCode === undefined || found.status !== 'pending' || found.expiresAt <= call.now)
    throw notFound('code');
  return { found, userCode };
}

/** Approves or denies a pending app. Throws NOT_FOUND if another request did so first. */
async function answer(call: ActCall, typed: string, status: 'approved' | 'denied') {
  const { found, userCode } = await waiting(call, typed);
  const { userId } = call.principal;
  if (status === 'approved') await requireDistinct(call.db, userId, found.client, 'userCode');
  const changed = await call.writeOnAccount(userId, async ({ db, now }) => {
    const set = { status, userId, updatedAt: now };
    const answered = q
      .updateTable('approval')
      .set(set)
      .where('id', '=', found.id)
      .where('status', '=', 'pending')
      .where('expiresAt', '>', now);
    if ((await db.count(answered)) !== 1) throw notFound('code');
    return { ...found, ...set };
  });
  return { data: shown(changed, userCode, call) };
}

const S256 = /^[A-Za-z0-9_-]{43}$/;

export const approvalOperations = [
  act({
    operation: 'approvalLook',
    people: true,
    path: '/approvals/look',
    resource: 'session',
    verb: 'insert',
    summary: 'Look up an app by its code',
    description:
      'An app without a browser displays a code, valid for ten minutes. Show the person its name, device, IP address and code before they approve it: the names are not verified.',
    body: codeBody,
    answer: approval,
    async run(call, { body }) {
      const { found, userCode } = await waiting(call, body.userCode);
      await requireDistinct(call.db, call.principal.userId, found.client, 'userCode');
      return { data: shown(found, userCode, call) };
    },
  }),

  act({
    operation: 'approvalInsert',
    people: true,
    path: '/approvals',
    resource: 'session',
    verb: 'insert',
    summary: 'Approve an app by its code',
    description: 'Signs the app in as you and adds it to your sessions.',
    body: codeBody,
    answer: approval,
    proven: true,
    run: (call, { body }) => answer(call, body.userCode, 'approved'),
  }),

  act({
    operation: 'approvalDeny',
    people: true,
    path: '/approvals/deny',
    resource: 'session',
    verb: 'insert',
    summary: 'Deny an app by its code',
    body: codeBody,
    answer: approval,
    run: (call, { body }) => answer(call, body.userCode, 'denied'),
  }),

  act({
    operation: 'approvalRedirect',
    people: true,
    path: '/approvals/redirect',
    resource: 'session',
    verb: 'insert',
    summary: 'Approve an app that opened the browser',
    description:
      'For the page `/authorize`, where an app sends the browser. Redirect to `redirectTo`: it contains a code that the app exchanges for a session within two minutes.',
    body: body({
      client: name('`client_id`', 'Palaver for Linux'),
      device: optional(device),
      redirectUri: text({
        max: 500,
        description: '`redirect_uri`, at 127.0.0.1 or [::1]',
        examples: ['http://127.0.0.1:51004/done'],
      }),
      codeChallenge: text({
        max: 100,
        description: '`code_challenge`',
        examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
      }),
      codeChallengeMethod: oneOf(['S256'], '`code_challenge_method`'),
      state: optional(text({ max: 500, description: '`state`, unchanged', examples: ['af0ifjsldkj'] })),
    }),
    answer: Type.Object(
      {
        redirectTo: text({
          max: 2000,
          examples: ['http://127.0.0.1:51004/done?code=…&state=af0ifjsldkj&iss=…'],
        }),
        expiresAt: time('When the code expires'),
      },
      { $id: 'ApprovedRedirect', title: 'ApprovedRedirect' },
    ),
    proven: true,
    check({ body }) {
      if (isLikeOwnName(body.client))
        throw invalid('reserved', 'client', 'looks like the name of Palaver itself');
      requireLoopback(body.redirectUri);
      if (!S256.test(body.codeChallenge))
        throw invalid('wrong_form', 'codeChallenge', 'must be a SHA-256 in base64url');
    },
    async run(call, { body }) {
      const { userId } = call.principal;
      await requireDistinct(call.db, userId, body.client, 'client');
      const { code, expiresAt } = await call.writeOnAccount(
        userId,
        async ({ db, now, newRow, randomBytes }) => {
          const last = q
            .selectFrom('approval')
            .select('id')
            .where('userId', '=', userId)
            .where('status', '!=', 'used')
            .where('expiresAt', '>', now)
            .limit(1)
            .offset(MAX_CODES - 1);
          if (await db.first(last))
            throw new ApiError(
              'RATE_LIMITED',
              'too many apps are waiting for approval. Try again in a minute',
              undefined,
              {
                'retry-after': '60',
              },
            );
          const code = newCode(randomBytes);
          const row: RowOf<'approval'> = {
            ...newRow(),
            digest: digestOf(code),
            userCodeDigest: null,
            client: body.client,
            device: body.device ?? null,
            address: call.address,
            status: 'approved',
            userId,
            redirectUri: body.redirectUri,
            codeChallenge: body.codeChallenge,
            expiresAt: now + REDIRECT_MS,
            sessionId: null,
          };
          await db.run(insert('approval', row));
          return { code, expiresAt: row.expiresAt };
        },
      );
      const redirectTo = new URL(body.redirectUri);
      redirectTo.searchParams.set('code', code);
      if (body.state !== undefined) redirectTo.searchParams.set('state', body.state);
      redirectTo.searchParams.set('iss', call.siteAddress);
      return { data: { redirectTo: redirectTo.href, expiresAt } };
    },
  }),
];
