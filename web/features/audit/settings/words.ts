import { auditSettings as t } from '../../../strings/en/records.ts';
import type { LogEvent } from '../logEvent.ts';

/** The nouns of the log that tell of how a server is run; what people say to each other is left out, but for what is removed. */
export const nouns = [
  'server',
  'channel',
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

/** The types of events to ask for: of one noun, or of all. */
export const typesFor = (noun = ''): string => (noun === '' ? nouns.map(typesOf).join() : typesOf(noun));

export const nounOf = ({ type }: LogEvent): string => type.split('.')[0] as string;

/** What was done: "made a channel". */
export const actOf = ({ type }: LogEvent): string => (t.acts as Record<string, string>)[type] ?? type;

/** The name of the thing that an event is about, if it has one. */
export function subjectOf({ data }: LogEvent): string | undefined {
  const record = data as {
    name?: string | null;
    nickname?: string | null;
    user?: { name: string };
    app?: { name?: string | null };
  };
  return record.nickname ?? record.user?.name ?? record.name ?? record.app?.name ?? undefined;
}

/** The user, other than the actor, whom an event is about by an id alone. */
export function userIdOf(event: LogEvent): string | undefined {
  if (subjectOf(event) !== undefined) return undefined;
  const { userId, creatorId } = event.data as { userId?: string; creatorId?: string };
  return event.type.startsWith('userRole')
    ? userId
    : event.type === 'message.deleted'
      ? creatorId
      : undefined;
}

/** The role that an event is about by its id. */
export const roleIdOf = (event: LogEvent): string | undefined =>
  event.type.startsWith('userRole') ? (event.data as { roleId?: string }).roleId : undefined;
