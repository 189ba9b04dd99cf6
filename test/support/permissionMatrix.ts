import assert from 'node:assert/strict';
import { pathOf, requestOf, type WriteRow } from '../rows/index.ts';
import type { Cast, Role } from './cast.ts';
import type { Ready } from './ready.ts';
import { type ChannelKind, isAllowed, neededFlags } from './rules.ts';
import { Scene } from './scene.ts';
import type { Answer, Client } from './world.ts';

const nameOf = ({ identity, flags }: Role): string => `${identity} with ${flags[0] ?? 'no flag'}`;

/** The scene in the cast's server, with the owner of rows as maker and channels of one kind. */
const sceneOf = ({ world, owner, home, author, roleIds }: Cast, kind: ChannelKind): Scene =>
  new Scene({
    world,
    owner,
    server: home,
    admin: author,
    channels: {
      private: kind === 'private' || kind === 'let in',
      readonly: kind === 'readonly',
      roleIds: kind === 'let in' ? roleIds : [],
    },
  });

/**
 * Sends one write as every caller in the cast, and compares each outcome, and the details of each refusal, with the
 * write's rule. `kind` is the kind of the channel concerned, if there is one.
 */
export async function checkWrite(
  row: WriteRow,
  cast: Cast,
  { roles = cast.roles, kind }: { roles?: Cast['roles']; kind?: ChannelKind } = {},
): Promise<void> {
  const scene = sceneOf(cast, kind ?? 'open');
  const isUsedUp = row.method === 'DELETE' || row.once === true || row.removes === true;
  const expected: Record<string, unknown> = {};
  const seen: Record<string, unknown> = {};
  let ready = await namedRequest(row, scene);
  for (const role of roles) {
    const allowed = isAllowed(row.rule, role, kind);
    const answer = await send(role.client, row, ready);
    expected[nameOf(role)] = allowed
      ? 200
      : { status: 403, have: role.flags, need: neededFlags(row.rule, role, kind).sort() };
    seen[nameOf(role)] = outcomeOf(answer, row.noun.name);
    if (answer.status === 200 && isUsedUp) ready = await namedRequest(row, scene);
  }
  assert.deepEqual(seen, expected);
}

/** A request whose body names the server only if the server does not follow from a channel or from the path. */
async function namedRequest(row: WriteRow, scene: Scene): Promise<Ready> {
  const { id, body } = await requestOf(row, scene);
  const { serverId: _serverId, ...rest } = body ?? {};
  const isNamed = row.method === 'POST' && row.fields?.serverId && !row.channels;
  return { id, ...(body && { body: { ...rest, ...(isNamed && { serverId: scene.server.id }) } }) };
}

function send(client: Client, row: WriteRow, { id, body }: Ready): Promise<Answer> {
  const call = { POST: client.post, PATCH: client.patch, DELETE: client.delete }[row.method];
  return call(pathOf(row, id), body);
}

/** The status of an answer; for a refusal, also the details. */
function outcomeOf({ status, body }: Answer, noun: string): unknown {
  if (status !== 403) return status;
  const { code, details } = body.error;
  assert.equal(code, 'FORBIDDEN');
  const { ids: _ids, ...rest } = details;
  assert.deepEqual(Object.keys(rest).sort(), ['have', 'need', 'rule']);
  assert.ok(details.rule.startsWith(`${noun}: `), details.rule);
  return { status, have: details.have, need: details.need.toSorted() };
}
