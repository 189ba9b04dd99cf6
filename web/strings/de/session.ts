import type * as english from '../en/session.ts';
import { texts } from '../texts.ts';

export const session: typeof english.session = texts({
  brand: 'Palaver',
  docs: 'Dokumentation',
  developers: 'Für Entwickler:innen',
  toStart: 'Zur Startseite',
  toServers: 'Zu deinen Servern',
  or: 'oder',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  signInWith: 'Mit {provider} anmelden',
  start: {
    tab: 'Willkommen',
    title: 'Ein Ort, an dem deine Leute reden',
    lead: 'Kanäle, Threads und Dateien für deine Community oder dein Team, auf einem Server, der euch gehört.',
    points: {
      talk: {
        title: 'Gespräche, die geordnet bleiben',
        text: 'Kanäle nach Themen, Threads für Details und eine Suche, die alles findet.',
      },
      own: {
        title: 'Eure Daten bleiben hier',
        text: 'Nachrichten und Dateien liegen nur bei denen, die diesen Server betreiben.',
      },
      build: {
        title: 'Gemacht für Bots und Skripte',
        text: 'Bots, Webhooks und Skripte nutzen dieselbe API wie diese Seite.',
      },
    },
  },
  leave: {
    title: 'Abmelden?',
    unsent:
      '{count, plural, one {Eine Nachricht ist noch nicht gesendet. Wenn du dich abmeldest, geht sie verloren.} other {# Nachrichten sind noch nicht gesendet. Wenn du dich abmeldest, gehen sie verloren.}}',
  },
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    lead: 'Mit deinem Konto auf {host}',
    toSee: 'Melde dich an, um diese Seite zu sehen.',
    lapsed: 'Deine Sitzung ist abgelaufen. Melde dich wieder an, um weiterzumachen.',
    name: 'Benutzername oder E-Mail-Adresse',
    forgot: 'Passwort vergessen?',
  },
  signUp: {
    title: 'Konto erstellen',
    submit: 'Konto erstellen',
    lead: 'Dein Konto gilt nur für {host}.',
    newHere: 'Neu hier?',
    hasAccount: 'Schon ein Konto?',
    notOpen: {
      invite: 'Du brauchst eine Einladung',
      closed: 'Du brauchst einen Link',
    },
    how: {
      invite:
        'Bitte ein Mitglied um einen Einladungslink zu einem Server. Damit registrierst du dich und trittst bei.',
      closed: 'Konten erstellt nur, wer diesen Server betreibt. Bitte dort um einen Link.',
    },
    needsInvite: 'Neu hier? Bitte ein Mitglied um einen Einladungslink zu einem Server.',
  },
  username: {
    rule: 'Kleinbuchstaben a–z, Ziffern und _ . -',
    wrong: 'Verwende nur Kleinbuchstaben a–z, Ziffern und _ . -',
  },
  name: {
    label: 'Dein Name',
    hint: 'Sehen andere. Ohne Namen sehen sie deinen Benutzernamen.',
  },
  strength: {
    rule: '{least, plural, one {Mindestens # Zeichen.} other {Mindestens # Zeichen. Mehrere Wörter sind gut.}}',
    more: '{missing, plural, one {Noch # Zeichen fehlt.} other {Noch # Zeichen fehlen.}}',
    isName: 'Das ist dein Benutzername. Wähle etwas, das schwerer zu erraten ist.',
    enough: 'Lang genug. Länger ist besser.',
  },
  code: {
    title: 'Zwei-Faktor-Anmeldung',
    label: 'Code',
    why: 'Öffne deine Authenticator-App und gib den Code für Palaver ein.',
    hint: 'Sechs Ziffern oder einer deiner Wiederherstellungscodes',
  },
  passkey: {
    signIn: 'Mit einem Passkey anmelden',
    stopped: 'Der Passkey-Dialog wurde geschlossen. Versuche es erneut, oder melde dich anders an.',
    hasOne: 'Dieses Gerät hat schon einen Passkey für dein Konto.',
    failed: 'Dein Browser konnte hier keinen Passkey verwenden.',
  },
  notProven: 'Nichts wurde geändert, weil du nicht bestätigt hast, dass du es bist.',
  invite: {
    title: 'Einladung',
    to: '{server} beitreten',
    members: '{count, plural, =0 {Noch keine Mitglieder} one {# Mitglied} other {# Mitglieder}}',
    by: '{name} hat dich eingeladen',
    gone: 'Diese Einladung gibt es nicht',
    goneMore: 'Vielleicht wurde sie gelöscht, oder der Link ist unvollständig. Bitte um eine neue.',
    ended: 'Diese Einladung ist abgelaufen oder aufgebraucht. Bitte um eine neue.',
    join: '{server} beitreten',
    as: 'Du bist als {name} angemeldet.',
    isMember: 'Du bist schon Mitglied.',
    open: '{server} öffnen',
    banned: 'Du bist von diesem Server gebannt. Die Moderation kann den Bann aufheben.',
    hasAccount: 'Ich habe ein Konto',
    hasNone: 'Ich bin neu hier',
  },
  reset: {
    title: 'Passwort vergessen?',
    lead: 'Gib deinen Benutzernamen oder deine E-Mail-Adresse ein. Hat das Konto eine bestätigte E-Mail-Adresse, senden wir einen Link zum Zurücksetzen.',
    submit: 'Link senden',
    back: 'Zurück zur Anmeldung',
    sent: 'Sieh in dein Postfach',
    sentMore:
      'Wenn das Konto {name} existiert und eine bestätigte E-Mail-Adresse hat, ist ein Link unterwegs.',
    nothingCame:
      'Der Link gilt eine Stunde. Nichts bekommen? Sieh im Spam nach, oder frag, wer diesen Server betreibt.',
    noMails:
      'Dieser Server verschickt keine E-Mails. Bitte die, die ihn betreiben, um einen Link zum Zurücksetzen.',
    operator: 'Sie erstellen ihn auf den Seiten der Administration oder mit diesem Befehl:',
  },
  callback: {
    title: 'Anmeldung läuft',
    moment: 'Einen Moment …',
    nothing: 'Gerade läuft keine Anmeldung. Geh zurück und melde dich neu an.',
    newHere: 'Wähle deinen Benutzernamen',
    newHereMore: 'Willkommen! Damit finden und erwähnen dich andere.',
    invite: 'Einladung',
    inviteHint: 'Der Link, den dir ein Mitglied geschickt hat, wenn du einen hast',
  },
  device: {
    title: 'App verbinden',
    lead: 'Gib den Code aus der App ein.',
    signIn: 'Melde dich an, um die App zu verbinden.',
    code: 'Code',
    device: 'Gerät',
    address: 'Adresse',
    sameAddress: '{address} (dieselbe wie deine)',
    goOn: 'Weiter',
    unknown: 'Mit diesem Code wartet keine App. Codes gelten zehn Minuten: Sieh in der App nach einem neuen.',
    asks: '{app} möchte auf dein Konto zugreifen',
    asWhom: 'Die App kann als {name} ({username}) lesen und schreiben, bis du sie abmeldest.',
    warning:
      'Diese Namen sind nicht geprüft. Erlaube nur eine App, die du selbst gestartet hast und die diesen Code zeigt.',
    warningElsewhere:
      'Die Anfrage kommt aus einem anderen Netz als deinem, und diese Namen sind nicht geprüft. Hat dir jemand diesen Code geschickt, lehne ab: Sonst bekommt diese Person Zugriff auf dein Konto.',
    approve: 'Erlauben',
    deny: 'Ablehnen',
    approved: 'App verbunden',
    approvedMore: 'Du kannst diese Seite schließen und zur App zurückkehren.',
    toSessions: 'Deine Sitzungen ansehen',
    denied: 'Anfrage abgelehnt',
    deniedMore: 'Die App hat keinen Zugriff auf dein Konto.',
  },
  authorize: {
    wrong: 'Ungültige Anfrage',
    wrongMore: 'Der Link ist unvollständig. Die App hat keinen Zugriff bekommen.',
    signIn: '{app} möchte auf dein Konto zugreifen. Melde dich an, um fortzufahren.',
    place: 'Läuft auf',
    thisMachine: 'Diesem Rechner, Port {port}',
    warning: 'Dieser Name ist nicht geprüft. Erlaube nur eine App, die du gerade selbst gestartet hast.',
    done: 'Zurück zur App',
    doneMore: 'Du kannst diese Seite schließen und in {app} weitermachen.',
  },
});
