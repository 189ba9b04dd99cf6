import type * as english from '../en/account.ts';
import { texts } from '../texts.ts';

export const block: typeof english.block = texts({
  block: 'Blockieren',
  unblock: 'Blockierung aufheben',
  unblockNamed: 'Blockierung von {name} aufheben',
  ask: '{name} blockieren?',
  askMore:
    'Diese Person kann dir keine Direktnachrichten senden, außer in bestehenden Gruppen. Ihre Nachrichten in Kanälen sind eingeklappt, und du wirst über keine ihrer Nachrichten benachrichtigt. Sie erfährt nichts davon.',
  unblocked: '{name} ist nicht mehr blockiert.',
});

export const grant: typeof english.grant = texts({
  title: '{app} möchte auf einem Server für dich handeln',
  lead: 'Sie würde als {name} ({username}) auf einem Server handeln, mit den Berechtigungen, die du auswählst.',
  host: 'Website',
  redirect: 'Leitet weiter zu',
  server: 'Auf diesem Server',
  noServers: 'Du bist noch keinem Server beigetreten.',
  notMember: '{app} hat einen Server angefragt, auf dem du nicht Mitglied bist.',
  may: 'Diese App darf',
  reads: 'Alles lesen, was deine Rollen auf diesem Server sehen, außer Direktnachrichten',
  allows: {
    canAdmin: 'Den Server verwalten: Rollen, alle privaten Kanäle und alles Folgende',
    canEditServer: 'Name, Bilder und Begrüßung des Servers bearbeiten',
    canEditChannel: 'Kanäle erstellen, bearbeiten und löschen; Nachrichten anpinnen',
    canEditData: 'Nachrichten senden, Threads starten, reagieren und Einladungen erstellen',
    canModerate: 'Nachrichten anderer bearbeiten und löschen; Mitglieder kicken und bannen',
    canEditApp:
      'Festlegen, welche Apps installiert sind, Befehle verwalten und API-Schlüssel, Webhooks und Flows löschen',
    canViewData: 'Installierte Apps und Flows ansehen',
  },
  lacks: 'Du hast diese Berechtigung nicht.',
  limits:
    'Sie hat keinen Zugriff auf deine Direktnachrichten, deine anderen Server und dein Konto und kann keine API-Schlüssel, Geheimnisse, Webhooks oder Flows erstellen oder ändern. Der Zugriff endet nach 90 Tagen. Du kannst ihn jederzeit widerrufen: Deine Einstellungen → Sitzungen und Apps.',
  unverified:
    'Niemand hat diese App geprüft. Sie nennt sich {app}, und ihre Website ist {host}. Erlaube den Zugriff nur, wenn du sie selbst gestartet hast und dieser Website vertraust.',
  unverifiedName:
    'Niemand hat diese App geprüft. Sie nennt sich {app}. Erlaube den Zugriff nur, wenn du sie gerade selbst gestartet hast.',
  session:
    'Die App bekommt Zugriff auf dein ganzes Konto: Sie kann auf allen deinen Servern alles, was du kannst, außer Aktionen, die dein Passwort erfordern.',
  apps: 'Apps mit begrenztem Zugriff',
  appsLead: 'Diese Apps handeln auf einem Server für dich, mit den Berechtigungen, die du ausgewählt hast.',
  in: 'auf {server}',
  onlyReads: 'darf nur lesen',
  until: 'bis {when}',
  used: 'zuletzt benutzt {when}',
  revoke: 'Zugriff widerrufen',
  revokeOf: '{app} widerrufen',
  revokeAll: 'Alle widerrufen',
  revokeAllMore:
    '{count, plural, one {Das widerruft # App. Sie funktioniert sofort nicht mehr.} other {Das widerruft # Apps. Sie funktionieren sofort nicht mehr.}}',
  revokeWithPassword: 'Auch Apps mit begrenztem Zugriff widerrufen',
});

export const history: typeof english.history = texts({
  lead: 'Anmeldungen und Änderungen an deinem Konto in den letzten 90 Tagen. Wenn du etwas nicht wiedererkennst, ändere dein Passwort und melde dich überall sonst ab.',
  none: 'Keine Einträge',
  types: {
    signedUp: 'Konto erstellt',
    signedIn: 'Angemeldet',
    signInFailed: 'Anmeldung fehlgeschlagen: falsches Passwort',
    codeFailed: 'Anmeldung fehlgeschlagen: falscher Code',
    proofFailed: 'Falsches Passwort beim Bestätigen der Identität',
    signInBlocked: 'Anmeldungen in neuen Browsern nach vielen Fehlversuchen gesperrt',
    signedOut: 'Abgemeldet',
    sessionRevoked: 'Sitzung abgemeldet',
    sessionsRevoked: 'Alle anderen Sitzungen abgemeldet',
    grantAdded: 'App für einen Server zugelassen',
    grantRevoked: 'Zugriff einer App widerrufen',
    passwordChanged: 'Passwort geändert',
    passwordRemoved: 'Passwort entfernt',
    passkeyAdded: 'Passkey hinzugefügt',
    passkeyRemoved: 'Passkey entfernt',
    emailAdded: 'E-Mail-Adresse bestätigt',
    emailRemoved: 'E-Mail-Adresse entfernt',
    secondFactorAdded: 'Zwei-Faktor-Anmeldung eingeschaltet',
    secondFactorRemoved: 'Zwei-Faktor-Anmeldung ausgeschaltet',
    recoveryCodesCreated: 'Neue Wiederherstellungscodes erstellt',
    dataExported: 'Daten exportiert',
    identityAdded: 'Externes Konto verbunden',
    identityRemoved: 'Externes Konto getrennt',
    suspended: 'Konto gesperrt',
    reinstated: 'Sperre aufgehoben',
  },
  methods: {
    password: 'mit Passwort',
    passkey: 'mit Passkey',
    provider: 'mit einem anderen Dienst',
    link: 'mit einem Link',
    app: 'durch eine App',
  },
  actors: {
    admin: 'durch einen Plattform-Admin',
    operator: 'durch den Betreiber',
  },
  attempts: '{count, plural, one {# Versuch} other {# Versuche}}',
});

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

export const ownExports: typeof english.ownExports = texts({
  title: 'Deine Daten exportieren',
  lead: 'Ein ZIP-Archiv mit deinen Nachrichten und ihren früheren Fassungen, Dateien, Direktnachrichten und allem, was über dein Konto gespeichert ist. Es enthält JSON- und HTML-Dateien. Du musst bestätigen, dass du es bist.',
  start: 'Export starten',
  none: 'Keine Exporte',
  noneMore: 'Starte einen, um eine Kopie deiner Daten zu behalten.',
  states: {
    running: 'läuft',
    done: 'fertig',
    failed: 'fehlgeschlagen',
  },
  failures: {
    too_large: 'größer, als dieser Server erlaubt',
    too_late: 'hat mehr als einen Tag gedauert',
  },
  messages: '{count, plural, one {# Nachricht} other {# Nachrichten}}',
  until: 'verfügbar bis {when}',
  downloadOf: 'Export vom {when} herunterladen',
  deleteOf: 'Export vom {when} löschen',
  ask: 'Diesen Export löschen?',
  askMore: 'Sein Archiv kann nicht mehr heruntergeladen werden.',
  askRunning: 'Er wird abgebrochen.',
  deleted: 'Export gelöscht.',
});

export const privacy: typeof english.privacy = texts({
  lead: 'Wer dir schreiben kann und wen du blockierst.',
  reach: 'Wer dir schreiben kann',
  reachMore: 'Gilt für neue Direktnachrichten und für Antworten in bestehenden Unterhaltungen zu zweit.',
  reaches: {
    anybody: 'Alle auf deinen Servern',
    nobody: 'Niemand',
  },
  blocked: 'Blockierte Personen',
  blockedMore:
    'Blockierte können dir keine Direktnachrichten senden, außer in bestehenden Gruppen. Ihre Nachrichten in Kanälen sind eingeklappt. Sie erfahren nichts davon.',
  none: 'Niemand ist blockiert',
  noneMore: 'Öffne das Profil einer Person und wähle in dessen Menü „Blockieren“.',
  unknown: 'Unbekanntes Konto',
});
