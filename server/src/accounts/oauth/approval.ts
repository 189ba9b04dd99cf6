import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { type ActCall, act } from '../../operations/act.ts';
import {
  body,
  flag,
  MAX_NAME_CHARACTERS,
  named,
  nullable,
  oneOf,
  record,
  text,
  time,
} from '../../operations/fields.ts';
import { recordOf } from '../../resources/common.ts';
import { countAttempt } from '../attempts.ts';
import { redirectOperations } from './approvalRedirect.ts';
import { requireDistinct } from './clientNames.ts';
import { typedCode } from './userCodes.ts';

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
    description: 'The user code, which must match the one that the app displays',
    examples: ['BCDF-GHJK'],
  }),
  client,
  device: nullable(device),
  address: text({
    max: 100,
    description: 'The IP address of the app',
    examples: ['203.0.113.7'],
  }),
  isSameAddress: flag('Whether your IP address is the same, which suggests that the device is nearby', true),
  status: oneOf(['pending', 'approved', 'denied']),
  expiresAt: time(),
});
const toApproval = recordOf(approval);

const codeBody = body({
  userCode: text({
    min: 1,
    max: 100,
    description: 'The user code that the app displays',
    examples: ['BCDF-GHJK'],
  }),
});

const shown = (row: RowOf<'approval'>, userCode: string, { address }: ActCall) =>
  toApproval({ ...row, userCode, isSameAddress: row.address === address });

/**
 * Finds the pending approval with this user code, and counts the attempt. Throws NOT_FOUND or RATE_LIMITED.
 */
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

/** Decides a pending approval. Throws NOT_FOUND if another request decided it first. */
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

export const approvalOperations = [
  act({
    operation: 'approvalLook',
    people: true,
    path: '/approvals/look',
    resource: 'session',
    verb: 'insert',
    summary: 'Look up an app by its user code',
    description:
      'An app without a browser displays a user code, which is valid for ten minutes. Before the person approves the app, show them its name, device, IP address and code. The names are not verified.',
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
    summary: 'Approve an app by its user code',
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
    summary: 'Deny an app by its user code',
    body: codeBody,
    answer: approval,
    run: (call, { body }) => answer(call, body.userCode, 'denied'),
  }),

  ...redirectOperations,
];
