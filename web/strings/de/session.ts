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
    lead: 'Kanäle, Threads und Dateien für deine Community oder dein Team, auf einem eigenen Server.',
    points: {
      talk: {
        title: 'Gespräche, die geordnet bleiben',
        text: 'Kanäle nach Themen, Threads daneben, und alles, was gesagt wurde, findet sich wieder.',
      },
      own: {
        title: 'Es bleibt hier',
        text: 'Nachrichten und Dateien liegen bei denen, die diesen Server betreiben, und sonst bei niemandem.',
      },
      build: {
        title: 'Auch Programme machen mit',
        text: 'Bots, Hooks und Skripte benutzen dieselbe Schnittstelle wie diese Seite.',
      },
    },
  },
  leave: {
    title: 'Abmelden?',
    unsent:
      '{count, plural, one {Eine Nachricht ist noch nicht gesendet. Sie geht verloren, wenn du dich abmeldest.} other {# Nachrichten sind noch nicht gesendet. Sie gehen verloren, wenn du dich abmeldest.}}',
  },
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    lead: 'Bei deinem Konto auf {host}',
    toSee: 'Diese Seite ist für alle, die angemeldet sind.',
    lapsed: 'Deine Sitzung ist zu Ende. Melde dich wieder an, um dort weiterzumachen, wo du warst.',
    name: 'Benutzername oder E-Mail-Adresse',
    forgot: 'Passwort vergessen?',
  },
  signUp: {
    title: 'Konto erstellen',
    submit: 'Konto erstellen',
    lead: 'Dein Konto gilt nur für {host}.',
    newHere: 'Neu hier?',
    hasAccount: 'Du hast schon ein Konto?',
    notOpen: {
      invite: 'Du brauchst eine Einladung',
      closed: 'Du brauchst einen Link',
    },
    how: {
      invite: 'Ein Mitglied kann dir einen Link zu einem Server schicken. Öffne ihn, und du bist dabei.',
      closed: 'Neue Konten erstellt, wer diesen Server betreibt. Frag dort nach einem Link.',
    },
    needsInvite:
      'Neu hier? Du brauchst eine Einladung: Ein Mitglied kann dir einen Link zu einem Server schicken.',
  },
  username: {
    label: 'Benutzername',
    rule: 'Kleine Buchstaben von a bis z, Ziffern und _ . -',
    wrong: 'Nimm nur kleine Buchstaben von a bis z, Ziffern und _ . -',
  },
  name: {
    label: 'Dein Name',
    hint: 'So, wie ihn andere sehen. Ohne ihn sehen sie deinen Benutzernamen.',
  },
  strength: {
    rule: '{least, plural, one {Mindestens # Zeichen.} other {Mindestens # Zeichen. Mehrere Wörter sind gut.}}',
    more: '{missing, plural, one {Noch # Zeichen fehlt.} other {Noch # Zeichen fehlen.}}',
    isName: 'Das ist dein Benutzername. Wähle etwas, das niemand errät.',
    enough: 'Lang genug. Länger ist besser.',
  },
  code: {
    title: 'Noch ein Schritt',
    label: 'Code',
    why: 'Öffne deine Authenticator-App, und gib den Code ein, den sie für Palaver zeigt.',
    hint: 'Sechs Ziffern, oder einer deiner Wiederherstellungscodes',
  },
  passkey: {
    signIn: 'Mit einem Passkey anmelden',
    stopped: 'Es wurde kein Passkey benutzt. Versuche es erneut, oder nimm einen anderen Weg.',
    hasOne: 'Dieses Gerät hat schon einen Passkey für dein Konto.',
    failed: 'Dein Browser konnte hier keinen Passkey benutzen.',
  },
  notProven: 'Nichts wurde geändert: Du hast nicht bestätigt, dass du es bist.',
  invite: {
    title: 'Eine Einladung',
    to: '{server} beitreten',
    members: '{count, plural, =0 {Noch ist niemand dabei} one {# Mitglied} other {# Mitglieder}}',
    by: '{name} lädt dich ein',
    gone: 'Diese Einladung gibt es nicht',
    goneMore:
      'Sie wurde entfernt, oder der Link ist nicht vollständig. Frag die Person, die ihn geschickt hat, nach einem neuen.',
    ended:
      'Diese Einladung ist abgelaufen oder verbraucht. Frag die Person, die sie geschickt hat, nach einer neuen.',
    join: '{server} beitreten',
    as: 'Du bist als {name} angemeldet.',
    isMember: 'Du bist schon Mitglied.',
    open: '{server} öffnen',
    banned: 'Du bist von diesem Server gebannt. Die Moderation kann den Bann aufheben.',
    hasAccount: 'Ich habe ein Konto',
    hasNone: 'Ich bin neu hier',
  },
  welcome: {
    none: 'Hier ist kein Link',
    noneMore: 'Öffne den ganzen Link, so wie du ihn bekommen hast. An seinem Ende steht ein langes Wort.',
    ended: 'Dieser Link gilt nicht mehr',
    endedMore:
      'Er gilt einmal und nur eine Zeit lang. Frag die Person, die ihn geschickt hat, nach einem neuen.',
    opening: 'Dein Link wird geöffnet',
    signUp: 'Willkommen',
    signUpMore: 'Du bist zu {host} eingeladen. Wähle, wie du heißen möchtest.',
    changes: 'Du bist als {name} angemeldet. Mit diesem Link wechselst du zu einem anderen Konto.',
    claimTitle: 'Willkommen, {name}',
    purposes: {
      claim: {
        lead: 'Dein Konto ist da: Dein Benutzername ist {username}. Wähle ein Passwort dafür.',
        submit: 'Passwort setzen und anmelden',
      },
      password: {
        title: 'Neues Passwort wählen',
        lead: 'Für das Konto {username}. Überall sonst wirst du abgemeldet.',
        submit: 'Passwort setzen und anmelden',
      },
      reset: {
        title: 'Neues Passwort wählen',
        lead: 'Für das Konto {username}. Überall sonst wirst du abgemeldet.',
        submit: 'Passwort setzen und anmelden',
      },
      recovery: {
        title: 'Dein Konto zurückbekommen',
        lead: 'Für das Konto {username}. Zweiter Faktor, Passkeys, Konten bei Anbietern und E-Mail-Adresse werden entfernt, und überall sonst wirst du abgemeldet.',
        submit: 'Passwort setzen und anmelden',
      },
    },
  },
  verify: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Sie wird die Adresse von {name} ({username}).',
    signIn: 'Melde dich bei dem Konto an, für das diese E-Mail gedacht ist.',
    submit: 'Adresse bestätigen',
    done: 'Deine Adresse ist bestätigt',
    doneMore: '{email} ist jetzt die Adresse deines Kontos.',
    toAccount: 'Zu deinem Konto',
    notYours:
      'Dieser Link gilt nicht mehr, oder er ist für ein anderes Konto als das, bei dem du angemeldet bist.',
  },
  reset: {
    title: 'Passwort vergessen?',
    lead: 'Gib deinen Benutzernamen oder deine E-Mail-Adresse ein. Hat das Konto eine bestätigte Adresse, geht ein Link für ein neues Passwort dorthin.',
    submit: 'Link senden',
    back: 'Zurück zur Anmeldung',
    sent: 'Sieh in deine E-Mails',
    sentMore: 'Wenn es ein Konto {name} mit einer bestätigten Adresse gibt, ist ein Link unterwegs.',
    nothingCame:
      'Er gilt eine Stunde. Wenn nichts kommt, sieh im Spam nach, oder frag, wer diesen Server betreibt.',
    noMails:
      'Dieser Server verschickt keine E-Mails. Wer ihn betreibt, kann dir einen Link für ein neues Passwort erstellen.',
    operator: 'Das geht mit diesem Befehl, oder auf der Seite für Admins:',
  },
  callback: {
    title: 'Anmeldung läuft',
    moment: 'Einen Moment …',
    nothing: 'Hier gibt es nichts abzuschließen.',
    newHere: 'Wähle deinen Benutzernamen',
    newHereMore: 'Du bist neu hier. So finden und erwähnen dich andere.',
    invite: 'Einladung',
    inviteHint: 'Der Link, den dir ein Mitglied geschickt hat, wenn du einen hast',
  },
  device: {
    title: 'App verbinden',
    lead: 'Gib den Code ein, den die App zeigt.',
    signIn: 'Melde dich zuerst an. Dann kannst du die App hereinlassen.',
    code: 'Code',
    device: 'Gerät',
    address: 'Adresse',
    sameAddress: '{address}, dieselbe wie deine',
    goOn: 'Weiter',
    unknown: 'Mit diesem Code wartet keine App. Codes gelten zehn Minuten: Sieh in der App nach einem neuen.',
    asks: '{app} möchte dein Konto benutzen',
    asWhom: 'Sie könnte als {name} ({username}) lesen und schreiben, bis du sie abmeldest.',
    warning:
      'Niemand hat diese Namen geprüft. Erlaube nur eine App, die du selbst gestartet hast und die diesen Code zeigt.',
    warningElsewhere:
      'Die App fragt von einer anderen Adresse als deiner. Niemand hat diese Namen geprüft. Hat dir jemand diesen Code geschickt, lehne ab: Sonst hat diese Person dein Konto.',
    approve: 'Erlauben',
    deny: 'Ablehnen',
    approved: 'Die App ist verbunden',
    approvedMore: 'Du kannst diese Seite schließen und in der App weitermachen.',
    toSessions: 'Ansehen, wo du angemeldet bist',
    denied: 'Die App wurde abgelehnt',
    deniedMore: 'Sie hat nichts von dir.',
  },
  authorize: {
    wrong: 'Diese App hat falsch gefragt',
    wrongMore:
      'Die Adresse ist nicht vollständig oder führt zu einem anderen Rechner als deinem. Der App wurde nichts gegeben.',
    signIn: '{app} möchte dein Konto benutzen. Melde dich zuerst an.',
    place: 'Läuft auf',
    thisMachine: 'Diesem Rechner, an Port {port}',
    warning: 'Niemand hat diesen Namen geprüft. Erlaube nur eine App, die du gerade selbst gestartet hast.',
    done: 'Geh zurück zur App',
    doneMore: 'Du kannst diese Seite schließen und in {app} weitermachen.',
  },
});
