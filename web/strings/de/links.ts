import type * as english from '../en/links.ts';
import { texts } from '../texts.ts';

export const links: typeof english.links = texts({
  welcome: {
    none: 'Unvollständiger Link',
    noneMore: 'Öffne den ganzen Link, so wie du ihn bekommen hast, mit dem langen Code am Ende.',
    ended: 'Dieser Link funktioniert nicht mehr',
    endedMore: 'Links funktionieren nur einmal und für begrenzte Zeit. Bitte um einen neuen.',
    opening: 'Dein Link wird geöffnet',
    signUpMore: 'Du bist zu {host} eingeladen. Wähle Name und Benutzername.',
    changes: 'Du bist als {name} angemeldet. Dieser Link meldet dich bei einem anderen Konto an.',
    claimTitle: 'Willkommen, {name}',
    purposes: {
      claim: {
        lead: 'Dein Konto ist bereit. Dein Benutzername ist {username}. Wähle ein Passwort.',
        submit: 'Passwort setzen und anmelden',
      },
      password: {
        title: 'Neues Passwort wählen',
        lead: 'Für das Konto {username}. Du wirst überall sonst abgemeldet.',
        submit: 'Passwort setzen und anmelden',
      },
      reset: {
        title: 'Neues Passwort wählen',
        lead: 'Für das Konto {username}. Du wirst überall sonst abgemeldet.',
        submit: 'Passwort setzen und anmelden',
      },
      recovery: {
        title: 'Konto wiederherstellen',
        lead: 'Für das Konto {username}. Zwei-Faktor-Anmeldung, Passkeys, verbundene Konten und E-Mail-Adresse werden entfernt, und du wirst überall sonst abgemeldet.',
        submit: 'Passwort setzen und anmelden',
      },
    },
  },
  verify: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Für das Konto {name} ({username}).',
    signIn: 'Melde dich bei dem Konto an, das diese E-Mail angefordert hat.',
    submit: 'E-Mail-Adresse bestätigen',
    done: 'E-Mail-Adresse bestätigt',
    doneMore: '{email} ist jetzt die E-Mail-Adresse deines Kontos.',
    toAccount: 'Zu deinem Konto',
    notYours:
      'Dieser Link ist abgelaufen, oder er gehört zu einem anderen Konto als dem, bei dem du angemeldet bist.',
  },
  claim: {
    title: '{name} übernehmen',
    as: 'Du bist als {name} ({username}) angemeldet.',
    what: 'Nachrichten, Dateien und Mitgliedschaften von {name} gehen auf dein Konto über. Das lässt sich nicht rückgängig machen.',
    submit: 'Mit diesem Konto übernehmen',
    other: 'Anderes Konto verwenden',
    hasAccount: 'Ich habe schon ein Konto',
    separate: 'Stattdessen ein neues Konto anlegen',
    signIn: 'Melde dich an, um {name} mit deinem Konto zu übernehmen.',
    done: 'Du hast {name} übernommen',
    doneMore:
      'Die Nachrichten werden im Hintergrund deinem Konto zugeordnet. Bei vielen Nachrichten kann das einige Minuten dauern.',
    taken: 'Jemand hat diese Person bereits übernommen.',
  },
});
