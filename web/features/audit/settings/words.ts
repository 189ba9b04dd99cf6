import { auditSettings as t } from '../../../strings/en/records.ts';
import type { LogEvent } from '../logEvent.ts';

/** Nouns that are relevant to the administration of a server. For messages, only deletions are. */
export const nouns = [
  'server',
  'channel',
  'category',
  'emoji',
  'role',
  'userRole',
  'serverMember',
  'serverBan',
  'invite',
  'secret',
  'webhook',
  'app',
  'appInstall',
  'flow',
  'pin',
  'message',
  'heldMessage',
  'report',
  'wordRule',
  'approval',
] as const;

/** The event types of moderators' actions. Events of these types can have other causes too. */
export const moderationTypes = [
  'message.deleted',
  'serverMember.updated',
  'serverMember.deleted',
  'serverBan.*',
  'heldMessage.deleted',
  'report.updated',
  'wordRule.*',
  'channel.updated',
  'thread.updated',
].join();

/** The event types to request for `moderation`, and for nouns of which only some events are relevant. */
const someTypes: Readonly<Record<string, string>> = {
  message: 'message.deleted',
  heldMessage: 'heldMessage.deleted',
  report: 'report.updated',
  moderation: moderationTypes,
};

const typesOf = (noun: string): string => someTypes[noun] ?? `${noun}.*`;

/** The event types to request: those of one noun, of `moderation`, or of all nouns. */
export const typesFor = (noun = ''): string => (noun === '' ? nouns.map(typesOf).join() : typesOf(noun));

export const nounOf = ({ type }: LogEvent): string => type.split('.')[0] as string;

/** The verb phrase for an event, such as "created the channel". */
export function actOf({ type, data }: LogEvent): string {
  const acts = t.acts as Record<string, string>;
  const { outcome, state } = data as { outcome?: string | null; state?: string };
  return acts[`${type} ${outcome ?? state}`] ?? acts[type] ?? type;
}

/** The name of an event's subject, if it has one. */
export function subjectOf({ data }: LogEvent): string | undefined {
  const record = data as {
    name?: string | null;
    pattern?: string;
    nickname?: string | null;
    user?: { name: string };
    app?: { name?: string | null };
    /** The ID of the element with which somebody decided on an approval. */
    actionId?: string;
  };
  const { nickname, user, name, app, pattern, actionId } = record;
  return nickname ?? user?.name ?? name ?? app?.name ?? pattern ?? actionId;
}

/** The ID of the user that an event is about, if the event does not contain their name. */
export function userIdOf(event: LogEvent): string | undefined {
  if (subjectOf(event) !== undefined) return undefined;
  const { userId, creatorId, authorId } = event.data as {
    userId?: string;
    creatorId?: string;
    authorId?: string;
  };
  if (event.type.startsWith('userRole')) return userId;
  if (event.type === 'report.updated') return authorId;
  return event.type === 'message.deleted' || event.type === 'heldMessage.deleted' ? creatorId : undefined;
}

/** The ID of the role that an event is about. */
export const roleIdOf = (event: LogEvent): string | undefined =>
  event.type.startsWith('userRole') ? (event.data as { roleId?: string }).roleId : undefined;
