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
] as const;

const typesOf = (noun: string): string => (noun === 'message' ? 'message.deleted' : `${noun}.*`);

/** The event types to request: those of one noun, or of all nouns. */
export const typesFor = (noun = ''): string => (noun === '' ? nouns.map(typesOf).join() : typesOf(noun));

export const nounOf = ({ type }: LogEvent): string => type.split('.')[0] as string;

/** The verb phrase for an event, such as "created the channel". */
export const actOf = ({ type }: LogEvent): string => (t.acts as Record<string, string>)[type] ?? type;

/** The name of an event's subject, if it has one. */
export function subjectOf({ data }: LogEvent): string | undefined {
  const record = data as {
    name?: string | null;
    nickname?: string | null;
    user?: { name: string };
    app?: { name?: string | null };
  };
  return record.nickname ?? record.user?.name ?? record.name ?? record.app?.name ?? undefined;
}

/** The ID of the user that an event is about, if the event does not contain their name. */
export function userIdOf(event: LogEvent): string | undefined {
  if (subjectOf(event) !== undefined) return undefined;
  const { userId, creatorId } = event.data as { userId?: string; creatorId?: string };
  return event.type.startsWith('userRole')
    ? userId
    : event.type === 'message.deleted'
      ? creatorId
      : undefined;
}

/** The ID of the role that an event is about. */
export const roleIdOf = (event: LogEvent): string | undefined =>
  event.type.startsWith('userRole') ? (event.data as { roleId?: string }).roleId : undefined;
