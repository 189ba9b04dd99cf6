import type { Words } from './text.ts';

/** The mails that people can request. */
interface MailWords {
  /** Greets the recipient. */
  greeting(name: string, username: string): string;
  /** The link that confirms an address. It contains nobody's name: the recipient may be a stranger. */
  confirm(address: string, link: string): Words;
  /** The link to choose a new password. */
  reset(greeting: string, address: string, link: string): Words;
}

/** The texts of mails by language. The first is the default. */
export const mailWords = {
  en: {
    greeting: (name, username) => `Hello ${name} (${username}),`,
    confirm: (address, link) => ({
      language: 'en',
      subject: 'Confirm your e-mail address',
      paragraphs: [
        `Somebody who is signed in to ${address} says that this is their e-mail address. If that was you, open this link while you are signed in:`,
        'The link is good for a day, and once. If that was not you, there is nothing to do.',
      ],
      link,
    }),
    reset: (greeting, address, link) => ({
      language: 'en',
      subject: 'A new password',
      paragraphs: [
        greeting,
        `Somebody asked for a new password for your account at ${address}. Open the link above to choose one: it is good for an hour, and once. All sessions of the account end by it.`,
        'If that was not you, there is nothing to do. Your password stays as it is.',
      ],
      link,
    }),
  },
  de: {
    greeting: (name, username) => `Hallo ${name} (${username}),`,
    confirm: (address, link) => ({
      language: 'de',
      subject: 'Bestätige deine E-Mail-Adresse',
      paragraphs: [
        `Jemand, der bei ${address} angemeldet ist, gibt diese E-Mail-Adresse als die eigene an. Wenn du das warst, öffne diesen Link, während du angemeldet bist:`,
        'Der Link gilt einen Tag lang, und einmal. Wenn du das nicht warst, ist nichts zu tun.',
      ],
      link,
    }),
    reset: (greeting, address, link) => ({
      language: 'de',
      subject: 'Ein neues Passwort',
      paragraphs: [
        greeting,
        `Jemand hat ein neues Passwort für dein Konto bei ${address} verlangt. Öffne den Link oben, um eines zu wählen: Er gilt eine Stunde lang, und einmal. Alle Sitzungen des Kontos enden damit.`,
        'Wenn du das nicht warst, ist nichts zu tun. Dein Passwort bleibt, wie es ist.',
      ],
      link,
    }),
  },
} satisfies Record<string, MailWords>;

/** A language of mails, by its tag (BCP 47). */
export type MailLanguage = keyof typeof mailWords;

/** All languages, the default first. */
export const mailLanguages = Object.keys(mailWords) as MailLanguage[];
