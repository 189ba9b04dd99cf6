import type { MailLanguage } from '../mail/words.ts';

interface DigestWords {
  subject(count: string, isOne: boolean): string;
  greeting(name: string): string;
  /** Returns the text before the link to the client. */
  waiting(address: string): string;
  /** Returns the line with the number of further messages. */
  more(count: number): string;
  /** The reason for the email. */
  reason: string;
  /** The label of the link that turns these emails off. */
  unsubscribe: string;
  /**
   * The page behind that link: its question, its button, the text shown afterwards, and the text for an
   * invalid link.
   */
  page: { title: string; question: string; button: string; done: string; invalid: string };
}

/** The texts of digests by language. */
export const digestWords: Record<MailLanguage, DigestWords> = {
  en: {
    subject: (count, isOne) => (isOne ? 'You have an unread message' : `You have ${count} unread messages`),
    greeting: (name) => `Hello ${name},`,
    waiting: (address) => `You have unread mentions and direct messages at ${address}:`,
    more: (count) => `And ${count} more.`,
    reason:
      'You get this email because you turned on emails about unread messages. These emails become less frequent until you read your messages.',
    unsubscribe: 'Stop these emails',
    page: {
      title: 'Emails about unread messages',
      question: 'Do you want to stop emails about unread messages?',
      button: 'Stop these emails',
      done: 'You no longer get emails about unread messages. You can turn them on again in your settings.',
      invalid: 'This link is invalid. You can turn off emails in your settings.',
    },
  },
  de: {
    subject: (count, isOne) =>
      isOne ? 'Du hast eine ungelesene Nachricht' : `Du hast ${count} ungelesene Nachrichten`,
    greeting: (name) => `Hallo ${name},`,
    waiting: (address) => `Du hast ungelesene Erwähnungen und Direktnachrichten bei ${address}:`,
    more: (count) => `Und ${count} weitere.`,
    reason:
      'Du bekommst diese E-Mail, weil du E-Mails über ungelesene Nachrichten eingeschaltet hast. Bis du deine Nachrichten liest, werden die E-Mails immer seltener.',
    unsubscribe: 'Diese E-Mails abbestellen',
    page: {
      title: 'E-Mails über ungelesene Nachrichten',
      question: 'Möchtest du keine E-Mails über ungelesene Nachrichten mehr bekommen?',
      button: 'E-Mails abbestellen',
      done: 'Du bekommst keine E-Mails über ungelesene Nachrichten mehr. In deinen Einstellungen kannst du sie wieder einschalten.',
      invalid: 'Dieser Link ist ungültig. In deinen Einstellungen kannst du E-Mails abschalten.',
    },
  },
};
