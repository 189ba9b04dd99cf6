import {
  administrator,
  administratorOrKey,
  agent,
  anyMember,
  anyOf,
  anyPerson,
  type ChannelView,
  correspondent,
  directMember,
  flagsNeeded,
  forbidden,
  inConversation,
  inWritableChannel,
  itsAgent,
  moderator,
  nobody,
  oneself,
  oneselfAdmitted,
  owner,
  platformAdmin,
  type Rule,
  role,
  serverAdmin,
  serverCreator,
  type Target,
} from './predicates.ts';
import type { Principal } from './principal.ts';
import { canSeeChannel } from './visibility.ts';

export type Verb = 'insert' | 'update' | 'delete';

const every = (rule: Rule): Record<Verb, Rule> => ({ insert: rule, update: rule, delete: rule });

const participant = anyOf(serverAdmin, moderator, role('canEditData'));

/** The table "Write permission per resource" (specification, part 5), extended by decisions, part 6. */
export const rules = {
  app: every(anyOf(serverCreator, serverAdmin, role('canEditChannel', 'canEditServer'))),
  appInstall: every(anyOf(role('canEditApp'))),
  attachment: {
    ...every(anyOf(owner('own user only'))),
    insert: anyOf(serverAdmin, moderator, role('canEditData'), inConversation),
  },
  block: every(anyOf(oneself)),
  category: every(anyOf(serverCreator, serverAdmin, role('canEditChannel', 'canEditServer'))),
  channel: every(anyOf(serverCreator, serverAdmin, role('canEditChannel', 'canEditServer'))),
  command: every(anyOf(itsAgent, role('canEditApp'))),
  conversation: every(anyOf(correspondent)),
  draft: every(anyOf(oneself)),
  emoji: {
    ...every(anyOf(serverCreator, serverAdmin, role('canEditServer'), owner('emoji creator'))),
    insert: anyOf(serverCreator, serverAdmin, role('canEditServer')),
  },
  export: every(anyOf(serverAdmin)),
  flow: every(anyOf(role('canEditApp'))),
  import: every(anyOf(administratorOrKey)),
  indicator: every(anyOf(owner('own user only'))),
  heldMessage: {
    ...every(anyOf(moderator)),
    delete: anyOf(moderator, owner('its author')),
  },
  interaction: { ...every(anyOf(itsAgent)), insert: inWritableChannel(participant) },
  invitation: {
    ...every(anyOf(serverAdmin, moderator)),
    update: anyOf(oneself),
  },
  invite: {
    ...every(anyOf(serverAdmin, owner('invite creator'))),
    insert: anyOf(serverAdmin, role('canEditData')),
  },
  message: {
    insert: inWritableChannel(participant),
    update: inWritableChannel(anyOf(serverAdmin, moderator, owner('message creator'))),
    delete: inWritableChannel(anyOf(serverAdmin, moderator, owner('message creator'))),
  },
  messageDelta: every(inWritableChannel(anyOf(owner('message creator')))),
  notification: every(anyOf(oneself)),
  person: every(anyOf(oneself)),
  picture: every(anyOf(owner('own user only'))),
  pin: every(anyOf(role('canEditChannel', 'canModerate'), serverAdmin)),
  platform: every(anyOf(administrator)),
  presence: every(anyOf(oneself)),
  pushSubscription: every(anyOf(oneself)),
  reaction: {
    ...every(anyOf(moderator, owner('own user'))),
    insert: inWritableChannel(participant),
  },
  reading: every(anyOf(oneself)),
  report: { ...every(anyOf(moderator)), insert: anyOf(anyMember) },
  role: every(anyOf(serverAdmin)),
  saved: every(anyOf(oneself)),
  scheduledMessage: { ...every(anyOf(oneself)), insert: inWritableChannel(participant) },
  secret: every(anyOf(serverCreator, serverAdmin, role('canEditApp'))),
  server: {
    ...every(anyOf(platformAdmin, serverCreator, role('canAdmin', 'canEditServer'))),
    insert: anyOf(anyPerson),
  },
  serverBan: every(anyOf(serverAdmin, moderator)),
  serverMember: {
    ...every(anyOf(owner('own membership'), serverAdmin, moderator)),
    insert: anyOf(oneselfAdmitted, serverAdmin, moderator),
  },
  session: every(anyOf(oneself)),
  ticket: every(anyOf(owner('own user only'))),
  thread: {
    ...every(inWritableChannel(anyOf(serverAdmin, owner('thread creator'), agent))),
    insert: inWritableChannel(participant),
  },
  userRole: every(anyOf(serverAdmin)),
  webhook: every(anyOf(role('canEditApp'))),
  wordRule: every(anyOf(serverAdmin, moderator)),
} satisfies Record<string, Record<Verb, Rule>>;

const author = anyOf(owner('message creator'));
const member = every(anyOf(directMember));

/**
 * In a direct message, these rules replace those of the table (decisions, part 8): flags and roles are
 * ignored. Resources that are not listed keep their rules.
 */
export const directRules: Partial<Record<keyof typeof rules, Record<Verb, Rule>>> = {
  app: every(anyOf(nobody)),
  channel: { ...every(anyOf(nobody)), update: anyOf(directMember) },
  interaction: { ...every(anyOf(itsAgent)), insert: anyOf(directMember) },
  message: { insert: anyOf(directMember), update: author, delete: author },
  messageDelta: { insert: author, update: author, delete: author },
  pin: member,
  reaction: { ...every(anyOf(owner('own user'))), insert: anyOf(directMember) },
  scheduledMessage: { ...every(anyOf(oneself)), insert: anyOf(directMember) },
  thread: { ...every(anyOf(owner('thread creator'))), insert: anyOf(directMember) },
  webhook: every(anyOf(nobody)),
};

/** The resources that have write operations. */
export type Resource = keyof typeof rules;

/** Returns the text of a rule, as shown in error messages and `docs/tables.md`. */
export const ruleText = (resource: Resource, verb: Verb): string =>
  `${resource}: ${rules[resource][verb].words}`;

/** Returns the text of the rule for an operation, such as `message insert`. */
export const operationText = (operation: `${Resource} ${Verb}`): string =>
  ruleText(...(operation.split(' ') as [Resource, Verb]));

/** Returns the rule that applies to a target, and its text. */
function ruleFor(resource: Resource, verb: Verb, { channel, nextChannel }: Target) {
  const isDirect = Boolean(channel?.memberIds || nextChannel?.memberIds);
  const rule = isDirect ? directRules[resource]?.[verb] : undefined;
  if (!rule) return { rule: rules[resource][verb], text: ruleText(resource, verb) };
  return { rule, text: `${resource} in a direct message: ${rule.words}` };
}

/** Whether the principal can see the channel. True if there is none. */
const seesAny = (principal: Principal, serverId: string | null, channel: ChannelView | undefined): boolean =>
  !channel || (serverId !== null && canSeeChannel(principal, serverId, channel));

/**
 * Throws FORBIDDEN unless the principal can see the target's channels and the rule for `resource` and `verb`
 * holds.
 */
export function authorize(principal: Principal, resource: Resource, verb: Verb, target: Target): void {
  const { rule, text } = ruleFor(resource, verb, target);
  const { serverId, channel, nextChannel } = target;
  const isInSight = seesAny(principal, serverId, channel) && seesAny(principal, serverId, nextChannel);
  if (isInSight && rule.holds(principal, target)) return;
  if (!isInSight) throw forbidden(principal, text, [], 'this key cannot see this channel');
  if (target.admission?.userId === principal.userId)
    throw forbidden(principal, text, [], target.admission.closed);
  if (target.serverId !== null && target.serverId !== principal.serverId)
    throw forbidden(principal, text, [], 'this key belongs to another server');
  throw forbidden(principal, text, flagsNeeded(rule, principal, target));
}
