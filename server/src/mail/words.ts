import type { Words } from './text.ts';

/** The emails that people can request. */
interface MailWords {
  /** Returns the greeting of an email. */
  greeting(name: string, username: string): string;
  /**
   * Returns the email with the link that confirms an address. It contains no names, because the recipient may
   * be a stranger.
   */
  confirm(address: string, link: string): Words;
  /** Returns the email with the link to choose a new password. */
  reset(greeting: string, address: string, link: string): Words;
}

/** Email texts by language. The first language is the default. */
export const mailWords = {
  en: {
    greeting: (name, username) => `Hello ${name} (${username}),`,
    confirm: (address, link) => ({
      language: 'en',
      subject: 'Confirm your email address',
      paragraphs: [
        `Someone signed in to ${address} wants to use this email address. If that was you, open this link while you're signed in:`,
        "The link works once and expires in a day. If that wasn't you, ignore this email.",
      ],
      link,
    }),
    reset: (greeting, address, link) => ({
      language: 'en',
      subject: 'Reset your password',
      paragraphs: [
        greeting,
        `Someone requested a new password for your account at ${address}. Open the link above to choose one. It works once and expires in an hour. Choosing a new password signs you out everywhere.`,
        "If that wasn't you, ignore this email. Your password stays the same.",
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
        `Jemand, der bei ${address} angemeldet ist, möchte diese E-Mail-Adresse verwenden. Wenn du das warst, öffne diesen Link, während du angemeldet bist:`,
        'Der Link ist einen Tag gültig und kann nur einmal verwendet werden. Wenn du das nicht warst, ignoriere diese E-Mail.',
      ],
      link,
    }),
    reset: (greeting, address, link) => ({
      language: 'de',
      subject: 'Passwort zurücksetzen',
      paragraphs: [
        greeting,
        `Jemand hat ein neues Passwort für dein Konto bei ${address} angefordert. Öffne den Link oben, um eines festzulegen. Der Link ist eine Stunde gültig und kann nur einmal verwendet werden. Wenn du ein neues Passwort festlegst, wirst du überall abgemeldet.`,
        'Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
      ],
      link,
    }),
  },
} satisfies Record<string, MailWords>;

/** The tag of a language of emails (BCP 47). */
export type MailLanguage = keyof typeof mailWords;

/** All languages, with the default first. */
export const mailLanguages = Object.keys(mailWords) as MailLanguage[];
