import type { RowOf } from '../db/schema.ts';
import type { MailLanguage } from '../mail/words.ts';
import type { Missed } from './missed.ts';

type Reason = RowOf<'notification'>['type'];

interface PushWords {
  /** The title for each reason. `name` is the name of the author. */
  titles: Record<Reason, (name: string, channel: string) => string>;
  /** Returns the title for a mention of a group, such as `@everyone`. */
  group(name: string, channel: string, group: string): string;
  /** The text for a message that consists only of files. */
  files: string;
  /** The title for people who do not want the sender or the channel to be shown. */
  nothing: string;
}

type Titled = Pick<Missed, 'type' | 'author' | 'channel' | 'server' | 'group'>;

/** The texts of notifications by language. */
export const pushWords: Record<MailLanguage, PushWords> = {
  en: {
    titles: {
      mention: (name, channel) => `${name} mentioned you in ${channel}`,
      reply: (name, channel) => `${name} replied to you in ${channel}`,
      thread: (name, channel) => `${name} replied in a thread in ${channel}`,
      direct: (name) => `${name} sent you a message`,
      reminder: (name, channel) => `Reminder: message from ${name} in ${channel}`,
      reaction: (name) => `${name} reacted to your message`,
      schedule: (_name, channel) => `A scheduled message in ${channel} could not be sent`,
      report: (name) => `${name} reported a message`,
      flow: (name) => `The flow “${name}” needs attention`,
    },
    group: (name, channel, group) => `${name} mentioned ${group} in ${channel}`,
    files: 'Sent a file',
    nothing: 'New message',
  },
  de: {
    titles: {
      mention: (name, channel) => `${name} hat dich in ${channel} erwähnt`,
      reply: (name, channel) => `${name} hat dir in ${channel} geantwortet`,
      thread: (name, channel) => `${name} hat in einem Thread in ${channel} geantwortet`,
      direct: (name) => `${name} hat dir geschrieben`,
      reminder: (name, channel) => `Erinnerung: Nachricht von ${name} in ${channel}`,
      reaction: (name) => `${name} hat auf deine Nachricht reagiert`,
      report: (name) => `${name} hat eine Nachricht gemeldet`,
      flow: (name) => `Der Flow „${name}“ braucht Aufmerksamkeit`,
      schedule: (_name, channel) => `Eine geplante Nachricht in ${channel} konnte nicht gesendet werden`,
    },
    group: (name, channel, group) => `${name} hat ${group} in ${channel} erwähnt`,
    files: 'Hat eine Datei gesendet',
    nothing: 'Neue Nachricht',
  },
};

/** Returns the title of a notification. */
export function titleOf(
  { titles, group: ofGroup }: PushWords,
  { type, author, channel, server, group }: Titled,
): string {
  const place = channel || server;
  return group === undefined ? titles[type](author, place) : ofGroup(author, place, group);
}
