/**
 * Permissions as defined in the specification, part 5, and decisions, part 6. The rules of each noun are in
 * test/rows.
 */

/** The role flags, in the order of the flags' table. */
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

/** The users of the cast's keys. `elsewhere` means that the key belongs to another server. */
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

/**
 * `private`: a private channel that the key's role cannot see. `let in`: a private channel that every role can see.
 */
export type ChannelKind = (typeof channelKinds)[number];

/** The rule for a write: it is allowed for callers with one of the flags, and for the named identities. */
export interface Rule {
  flags: readonly Flag[];
  anyone?: true;
  creator?: true;
  owner?: true;
  agent?: true;
  /** In a read-only channel, only admins and moderators may perform the write. */
  closedByReadonly?: true;
  /** Only the identity decides, so canAdmin does not help. */
  ownOnly?: true;
  /** The write always concerns the key's own server. */
  inOwnServer?: true;
  /** Agents are not allowed, regardless of their flags. */
  people?: true;
}

/** The rule for sending a message, starting a thread and reacting. */
export const participant: Rule = { flags: ['canEditData', 'canModerate'], closedByReadonly: true };

export interface Caller {
  identity: Identity;
  flags: readonly Flag[];
}

const holds = ({ flags }: Caller, ...wanted: readonly Flag[]): boolean =>
  flags.includes('canAdmin') || wanted.some((flag) => flags.includes(flag));

/** True if the caller can see a channel of this kind in the target server. */
const sees = (caller: Caller, kind: ChannelKind | undefined): boolean =>
  kind !== 'private' || caller.identity === 'creator' || holds(caller);

/** True if a write is allowed. `kind` is the kind of the channel that it concerns, if there is one. */
export function isAllowed(rule: Rule, caller: Caller, kind?: ChannelKind): boolean {
  const elsewhere = caller.identity.endsWith('elsewhere');
  if (elsewhere && !rule.inOwnServer) return false;
  if (!sees(caller, kind)) return false;
  if (rule.people && caller.identity.startsWith('agent')) return false;
  if (rule.closedByReadonly && kind === 'readonly' && !holds(caller, 'canModerate')) return false;
  return (
    rule.anyone === true ||
    (rule.creator === true && caller.identity === 'creator') ||
    (rule.owner === true && caller.identity === 'owner') ||
    (rule.agent === true && caller.identity === 'agent') ||
    (rule.ownOnly !== true && holds(caller, ...rule.flags))
  );
}

/** The flags that would each allow a rejected write. canAdmin is only listed if no lesser flag would be enough. */
export function neededFlags(rule: Rule, caller: Caller, kind?: ChannelKind): Flag[] {
  if (!sees(caller, kind)) return [];
  const { people, ...others } = rule;
  // The flags are checked before agents are refused.
  if (people) return isAllowed(others, caller, kind) ? [] : neededFlags(others, caller, kind);
  const helpful = flagTable.filter((flag) =>
    isAllowed(rule, { ...caller, flags: [...caller.flags, flag] }, kind),
  );
  const lesser = helpful.filter((flag) => flag !== 'canAdmin');
  return lesser.length > 0 ? lesser : helpful;
}
