import assert from 'node:assert/strict';
import { pathOf, requestOf, type WriteRow, writes } from '../rows/index.ts';
import type { Cast, Role } from './cast.ts';
import { engine } from './databases.ts';
import type { Ready } from './ready.ts';
import { type Caller, type ChannelKind, channelKinds, isAllowed, neededFlags, type Rule } from './rules.ts';
import { Scene } from './scene.ts';
import type { Answer, Client } from './world.ts';

const nameOf = ({ identity, flags }: Role): string => `${identity} with ${flags[0] ?? 'no flag'}`;

/** A scene in the cast's server, with channels of one kind. The rows' owner creates its records. */
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

/** A rule's decision about a caller, as an error shows it. */
const verdictOf = (rule: Rule, caller: Caller, kind?: ChannelKind): string =>
  isAllowed(rule, caller, kind) ? 'allowed' : `needs ${neededFlags(rule, caller, kind).sort()}`;

/** Every rule in the table, for each kind of channel and for none, in the key's own server or in any server. */
const others: readonly { rule: Rule; kind: ChannelKind | undefined }[] = [
  ...new Map(writes.map(({ rule }) => [JSON.stringify(rule), rule])).values(),
].flatMap((rule) =>
  [rule, { ...rule, inOwnServer: true as const }].flatMap((rule) =>
    [undefined, ...channelKinds].map((kind) => ({ rule, kind })),
  ),
);

/**
 * True on SQLite for a noun's first row with this rule and these kinds of channel. It is tested with every
 * caller, and all other rows with some callers.
 */
function asksForAll(row: WriteRow): boolean {
  const keyOf = ({ rule, channels }: WriteRow) => JSON.stringify([rule, channels]);
  const first = writes.find((other) => other.noun === row.noun && keyOf(other) === keyOf(row));
  return engine === 'sqlite' && first === row;
}

/** Describes the callers in the name of a test. */
export const askersOf = (row: WriteRow): string =>
  asksForAll(row) ? 'every flag and identity' : 'callers that distinguish its rule from all others';

/**
 * A few callers that distinguish a row's rule from every other rule, and from the same rule for another kind of
 * channel: one who is allowed, one who is rejected, and more until every rule with another result is ruled out.
 */
function probesOf({ rule }: WriteRow, roles: readonly Role[], kind?: ChannelKind): Role[] {
  const expected = new Map(roles.map((role) => [role, verdictOf(rule, role, kind)]));
  const tells = (role: Role, other: (typeof others)[number]): boolean =>
    verdictOf(other.rule, role, other.kind) !== expected.get(role);
  const isAllowedOne = (role: Role): boolean => expected.get(role) === 'allowed';
  const refused = roles.find((role) => !isAllowedOne(role));
  const probes = [roles.find(isAllowedOne), refused].filter((role) => role !== undefined);
  let left = others.filter((other) => !probes.some((role) => tells(role, other)));
  for (;;) {
    const told = roles.map((role) => left.filter((other) => tells(role, other)).length);
    const best = Math.max(...told);
    if (best === 0) return probes;
    const role = roles[told.indexOf(best)] as Role;
    probes.push(role);
    left = left.filter((other) => !tells(role, other));
  }
}

/**
 * Sends one write as every caller in the cast, or as those that distinguish its rule, and compares each result,
 * including the details of errors, with the write's rule. `kind` is the kind of the channel concerned, if any.
 */
export async function checkWrite(
  row: WriteRow,
  cast: Cast,
  { roles: all = cast.roles, kind }: { roles?: Cast['roles']; kind?: ChannelKind } = {},
): Promise<void> {
  const roles = asksForAll(row) ? all : probesOf(row, all, kind);
  const scene = sceneOf(cast, kind ?? 'open');
  const isUsedUp =
    row.method === 'DELETE' || row.once === true || row.removes === true || row.usesUp === true;
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

/** A request whose body names the server only if it is not implied by a channel or by the path. */
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

/** The status of a response; for 403, also the flags that the caller has and the flags that it needs. */
function outcomeOf({ status, body }: Answer, noun: string): unknown {
  if (status !== 403) return status;
  const { code, details } = body.error;
  assert.equal(code, 'FORBIDDEN');
  const { ids: _ids, ...rest } = details;
  assert.deepEqual(Object.keys(rest).sort(), ['have', 'need', 'rule']);
  assert.ok(details.rule.startsWith(`${noun}: `), details.rule);
  return { status, have: details.have, need: details.need.toSorted() };
}
