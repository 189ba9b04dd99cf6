import assert from 'node:assert/strict';
import type { Cast, Role } from './cast.ts';
import { requests, type Scene, sendCall } from './operationRequests.ts';
import { type ChannelKind, isAllowed, neededFlags, type Operation } from './permissionTable.ts';
import type { Answer } from './world.ts';

const nameOf = ({ identity, flags }: Role): string => `${identity} with ${flags[0] ?? 'no flag'}`;

/**
 * Sends one operation as everybody in the cast, and holds each outcome, and what each refusal says of itself,
 * against the table.
 */
export async function checkOperation(
  operation: Operation,
  scene: Scene,
  { roles = scene.cast.roles, kind }: { roles?: Cast['roles']; kind?: ChannelKind } = {},
): Promise<void> {
  const { make, consumes } = requests[operation];
  const expected: Record<string, unknown> = {};
  const seen: Record<string, unknown> = {};
  let call = await make(scene);
  for (const role of roles) {
    const allowed = isAllowed(operation, role, kind);
    const answer = await sendCall(role.client, call);
    expected[nameOf(role)] = allowed
      ? 200
      : { status: 403, have: role.flags, need: neededFlags(operation, role, kind).sort() };
    seen[nameOf(role)] = outcomeOf(answer, operation.split(' ', 1)[0] as string);
    if (answer.status === 200 && consumes) call = await make(scene);
  }
  assert.deepEqual(seen, expected);
}

/** The status of an answer; for a refusal, also what it tells the caller. */
function outcomeOf({ status, body }: Answer, resource: string): unknown {
  if (status !== 403) return status;
  const { code, details } = body.error;
  assert.equal(code, 'FORBIDDEN');
  assert.deepEqual(Object.keys(details).sort(), ['have', 'need', 'rule']);
  assert.ok(details.rule.startsWith(`${resource}: `), details.rule);
  return { status, have: details.have, need: details.need.toSorted() };
}
