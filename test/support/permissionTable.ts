/** The tables of the specification, part 5, with decisions, part 6, typed again: what the server is held against. */

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

/** Who a key acts as. `elsewhere`: the key is for another server. */
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

/** Who may do one operation: whoever holds one of the flags, or is one of these. */
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

const appWriter: Rule = { creator: true, flags: ['canEditChannel', 'canEditServer'] };
const messageEditor: Rule = { owner: true, flags: ['canModerate'], closedByReadonly: true };
const participant: Rule = { flags: ['canEditData', 'canModerate'], closedByReadonly: true };
const threadEditor: Rule = { owner: true, agent: true, flags: ['canAdmin'], closedByReadonly: true };
const membershipWriter: Rule = { owner: true, flags: ['canModerate'] };
const serverAdmin: Rule = { flags: ['canAdmin'] };
const pinner: Rule = { flags: ['canEditChannel', 'canModerate'] };
const secretWriter: Rule = { creator: true, flags: ['canEditApp'] };
const ownUser: Rule = { owner: true, flags: [], ownOnly: true };

export const ruleTable = {
  'app insert': appWriter,
  'app update': appWriter,
  'app delete': appWriter,
  'app install from registry': { ...appWriter, inOwnServer: true },
  'app submit': appWriter,
  'appInstall insert': { flags: ['canEditApp'] },
  'appInstall delete': { flags: ['canEditApp'] },
  'channel insert': appWriter,
  'channel update': appWriter,
  'channel delete': appWriter,
  'indicator insert': { anyone: true, flags: [], ownOnly: true },
  'indicator update': ownUser,
  'indicator delete': ownUser,
  'invite insert': { flags: ['canEditData'] },
  'invite delete': { owner: true, flags: ['canAdmin'] },
  'message insert': participant,
  'message update': messageEditor,
  'message delete': messageEditor,
  'pin insert': pinner,
  'pin delete': pinner,
  'reaction insert': participant,
  'reaction delete': { owner: true, flags: ['canModerate'] },
  'role insert': serverAdmin,
  'role update': serverAdmin,
  'role delete': serverAdmin,
  'secret insert': secretWriter,
  'secret delete': secretWriter,
  'server update': { creator: true, flags: ['canEditServer'] },
  'serverMember insert': { flags: ['canModerate'] },
  'serverMember update': membershipWriter,
  'serverMember delete': membershipWriter,
  'thread insert': participant,
  'thread update': threadEditor,
  'thread delete': threadEditor,
  'userRole insert': serverAdmin,
  'userRole delete': serverAdmin,
  'webhook insert': { flags: ['canEditApp'] },
  'webhook update': { flags: ['canEditApp'] },
  'webhook delete': { flags: ['canEditApp'] },
  'webhook replay': { flags: ['canEditApp'] },
} as const satisfies Record<string, Rule>;

export type Operation = keyof typeof ruleTable;

export interface Caller {
  identity: Identity;
  flags: readonly Flag[];
}

const holds = ({ flags }: Caller, ...wanted: readonly Flag[]): boolean =>
  flags.includes('canAdmin') || wanted.some((flag) => flags.includes(flag));

/** Whether the caller sees a channel of this kind in the server that is written to. */
const sees = (caller: Caller, kind: ChannelKind | undefined): boolean =>
  kind !== 'private' || caller.identity === 'creator' || holds(caller);

/** Whether the operation is allowed; `kind` is that of the channel concerned, if one is. */
export function isAllowed(operation: Operation, caller: Caller, kind?: ChannelKind): boolean {
  const rule: Rule = ruleTable[operation];
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

/** The flags of which one more would make a refused operation allowed; canAdmin only where nothing less would. */
export function neededFlags(operation: Operation, caller: Caller, kind?: ChannelKind): Flag[] {
  if (!sees(caller, kind)) return [];
  const helpful = flagTable.filter((flag) =>
    isAllowed(operation, { ...caller, flags: [...caller.flags, flag] }, kind),
  );
  const lesser = helpful.filter((flag) => flag !== 'canAdmin');
  return lesser.length > 0 ? lesser : helpful;
}
