/** Permissions in the words of the specification, part 5, and decisions, part 6. Each noun's rules stand in test/operations. */

/** The role flags, in the order of the table. */
export const flagTable = [
  'canAdmin',
  'canEditChannel',
  'canEditServer',
  'canEditData',
  'canModerate',
  'canEditApp',
  'canViewData',
] as const;

export type Flag = (typeof flagTable)[number];

/** Users that a key acts as. `elsewhere`: the key is for another server. */
export const identities = [
  'creator',
  'owner',
  'stranger',
  'agent',
  'stranger elsewhere',
  'creator elsewhere',
  'owner elsewhere',
  'agent elsewhere',
] as const;

export type Identity = (typeof identities)[number];

export const channelKinds = ['open', 'private', 'let in', 'readonly'] as const;

/** `private`: the key's role is not let in. `let in`: a private channel that every role sees. */
export type ChannelKind = (typeof channelKinds)[number];

/** Allows a write to holders of one of the flags, and to the identities named. */
export interface Rule {
  flags: readonly Flag[];
  anyone?: true;
  creator?: true;
  owner?: true;
  agent?: true;
  /** A read-only channel takes it from admins and moderators alone. */
  closedByReadonly?: true;
  /** Identity alone decides: canAdmin does not help. */
  ownOnly?: true;
  /** It is about the key's own server, whichever that is. */
  inOwnServer?: true;
}

/** Sending a message, starting a thread and reacting. */
export const participant: Rule = { flags: ['canEditData', 'canModerate'], closedByReadonly: true };

export interface Caller {
  identity: Identity;
  flags: readonly Flag[];
}

const holds = ({ flags }: Caller, ...wanted: readonly Flag[]): boolean =>
  flags.includes('canAdmin') || wanted.some((flag) => flags.includes(flag));

/** Whether the caller sees a channel of this kind in the server that is written to. */
const sees = (caller: Caller, kind: ChannelKind | undefined): boolean =>
  kind !== 'private' || caller.identity === 'creator' || holds(caller);

/** Whether a write is allowed; `kind` is that of the channel concerned, if one is. */
export function isAllowed(rule: Rule, caller: Caller, kind?: ChannelKind): boolean {
  const elsewhere = caller.identity.endsWith('elsewhere');
  if (elsewhere && !rule.inOwnServer) return false;
  if (!sees(caller, kind)) return false;
  if (rule.closedByReadonly && kind === 'readonly' && !holds(caller, 'canModerate')) return false;
  return (
    rule.anyone === true ||
    (rule.creator === true && caller.identity === 'creator') ||
    (rule.owner === true && caller.identity === 'owner') ||
    (rule.agent === true && caller.identity === 'agent') ||
    (rule.ownOnly !== true && holds(caller, ...rule.flags))
  );
}

/** The flags of which one more would make a refused write allowed; canAdmin only where nothing less would. */
export function neededFlags(rule: Rule, caller: Caller, kind?: ChannelKind): Flag[] {
  if (!sees(caller, kind)) return [];
  const helpful = flagTable.filter((flag) =>
    isAllowed(rule, { ...caller, flags: [...caller.flags, flag] }, kind),
  );
  const lesser = helpful.filter((flag) => flag !== 'canAdmin');
  return lesser.length > 0 ? lesser : helpful;
}
