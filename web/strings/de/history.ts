import type * as english from '../en/history.ts';
import { texts } from '../texts.ts';

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
    passwordChanged: 'Passwort geändert',
    passwordRemoved: 'Passwort entfernt',
    passkeyAdded: 'Passkey hinzugefügt',
    passkeyRemoved: 'Passkey entfernt',
    emailAdded: 'E-Mail-Adresse bestätigt',
    emailRemoved: 'E-Mail-Adresse entfernt',
    secondFactorAdded: 'Zwei-Faktor-Anmeldung eingeschaltet',
    secondFactorRemoved: 'Zwei-Faktor-Anmeldung ausgeschaltet',
    recoveryCodesCreated: 'Neue Wiederherstellungscodes erstellt',
    identityAdded: 'Anmeldekonto verbunden',
    identityRemoved: 'Anmeldekonto getrennt',
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
    admin: 'durch einen Admin der Plattform',
    operator: 'durch den Betrieb',
  },
  attempts: '{count, plural, one {# Versuch} other {# Versuche}}',
});
