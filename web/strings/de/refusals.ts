import type * as english from '../en/refusals.ts';
import { texts } from '../texts.ts';

export const permissions: typeof english.permissions = texts({
  canAdmin: {
    name: 'Administration',
    allows:
      'Alles Folgende, dazu Rollen und alle privaten Kanäle. Nur für Leute, denen du den ganzen Server anvertrauen würdest.',
  },
  canEditServer: {
    name: 'Server verwalten',
    allows: 'Name, Bilder, Begrüßung, Kanäle und Apps des Servers bearbeiten.',
  },
  canEditChannel: {
    name: 'Kanäle verwalten',
    allows: 'Kanäle und Apps erstellen, bearbeiten und löschen; Nachrichten anpinnen.',
  },
  canEditData: {
    name: 'Mitmachen',
    allows: 'Nachrichten senden, Threads starten, reagieren und Einladungen erstellen.',
  },
  canModerate: {
    name: 'Moderieren',
    allows:
      'Nachrichten anderer löschen, bearbeiten und anpinnen, kicken und bannen, Threads sperren und in schreibgeschützten Kanälen schreiben.',
  },
  canEditApp: {
    name: 'Integrationen verwalten',
    allows: 'API-Schlüssel, Webhooks und Flows verwalten und festlegen, welche Apps installiert sind.',
  },
  canViewData: {
    name: 'Integrationen ansehen',
    allows: 'Installierte Apps mit ihren Einstellungen und Flows ansehen.',
  },
});

export const refusals = texts({
  quoted: '„{name}“',
  words: {
    'your roles lack {}, and nobody can give what they do not have':
      'Deinen Rollen fehlt {0}, und niemand kann geben, was er nicht hat.',
    'your roles lack {}': 'Dafür brauchst du eine Rolle mit {0}.',
    'you may not do that': 'Das darfst du nicht.',
    'you do not act in that server': 'Das gehört zu einem anderen Server.',
    'this channel cannot be seen by you': 'Diesen Kanal siehst du nicht.',
    'this cannot be seen by you': 'Das siehst du nicht.',
    'verified and installCount of an app in the registry are written by a platform admin only':
      'Das ändern nur Admins der Plattform.',
    "this app is another server's own": 'Diese App gehört einem anderen Server.',
    'this thread is locked': 'Dieser Thread ist gesperrt.',
    'attachmentIds: a file of somebody else': 'Diese Datei hat jemand anderes hochgeladen.',
    'locked: a moderator locked this thread, so only a moderator can unlock it':
      'Die Moderation hat diesen Thread gesperrt, und nur sie kann ihn entsperren.',
    'roleId: the role sees private channels that you do not see':
      'Diese Rolle sieht private Kanäle, die du nicht siehst.',
    'it has {}, which your roles lack': 'Es hat {0}, und das fehlt deinen Rollen.',
    'it sees private channels that you do not see': 'Es sieht private Kanäle, die du nicht siehst.',
    'it acts as another person, or as an agent with powers of its own':
      'Es handelt für eine andere Person, oder für einen Agenten mit eigenen Rechten.',
    'userId: must be yourself, or an agent without powers of its own':
      'Ein Schlüssel handelt für dich, oder für einen Agenten ohne eigene Rechte.',
    'userId: this agent is at home in another server, and keys are minted for it there alone':
      'Dieser Agent ist auf einem anderen Server zu Hause. Nur dort bekommt er Schlüssel.',
    'prove who you are: POST /api/people/proof with your password or a passkey, then try again':
      'Bestätige, dass du es bist, und versuche es erneut.',
    'you could not sign in any more if you lost a device: choose a password, or add another passkey first':
      'Verlierst du ein Gerät, könntest du dich nicht mehr anmelden. Wähle zuerst ein Passwort, oder füge einen weiteren Passkey hinzu.',
    'only the creator of a server hands it over': 'Einen Server kann nur übertragen, wem er gehört.',
    'only the creator of a server deletes it': 'Einen Server kann nur löschen, wem er gehört.',
    'you are the creator of this server: hand it over, or delete it':
      'Dieser Server gehört dir. Übertrage oder lösche ihn.',
    'you are the creator of servers: hand them over, or delete them':
      'Dir gehören Server. Übertrage oder lösche sie.',
    'this is you: ask another platform admin': 'Das bist du selbst. Frag andere Admins der Plattform.',
    'nobody would be left to administer the platform: make somebody else a platform admin first':
      'Sonst könnte niemand mehr die Plattform verwalten. Mach zuerst jemand anderen zum Admin.',
    'nobody would be left to administer this server: give another member a role with canAdmin first':
      'Sonst könnte niemand mehr diesen Server verwalten. Gib zuerst einem anderen Mitglied eine Rolle mit „Administration“.',
    'userId: nobody can ban themselves': 'Dich selbst kannst du nicht bannen.',
    'userId: the creator of the server cannot be banned': 'Wem der Server gehört, kann nicht gebannt werden.',
    'this user, or the user who made this agent, is banned from the server':
      'Dieses Konto ist vom Server gebannt, oder das Konto, das den Agenten erstellt hat.',
    'the default role cannot be deleted': 'Die Standardrolle kann nicht gelöscht werden.',
    "the creator's admin role cannot be deleted":
      'Die Rolle „Administration“ dessen, dem der Server gehört, kann nicht gelöscht werden.',
    'this app is installed in the server already': 'Diese App ist auf dem Server schon installiert.',
    'name: a channel of this name is in the server already': 'Ein Kanal mit diesem Namen ist schon da.',
    'another device of yours has begun a draft here': 'Ein anderes Gerät von dir hat hier einen Entwurf.',
    'another device of yours has changed this draft since':
      'Ein anderes Gerät von dir hat diesen Entwurf inzwischen geändert.',
    'this account is connected already': 'Dieses Konto ist schon verbunden.',
    'this passkey is registered already': 'Dieser Passkey ist schon registriert.',
    'this e-mail address is taken': 'Diese E-Mail-Adresse ist vergeben.',
    'this message is pinned already': 'Diese Nachricht ist schon angepinnt.',
    'you have reacted to this message with this emoji already':
      'So hast du schon auf die Nachricht reagiert.',
    'this user is banned from the server already': 'Dieses Konto ist schon vom Server gebannt.',
    'this user is a member of the server already': 'Dieses Konto ist schon Mitglied des Servers.',
    'this username is taken': 'Dieser Benutzername ist vergeben.',
    'this user has the role already': 'Dieses Mitglied hat die Rolle schon.',
    'you have a second factor: remove it before you begin with another':
      'Du hast schon einen zweiten Faktor. Entferne ihn zuerst.',
    'your second factor is confirmed already': 'Dein zweiter Faktor ist schon bestätigt.',
    'the name or the password is wrong': 'Der Name oder das Passwort ist falsch.',
    'the password is wrong': 'Das Passwort ist falsch.',
    'the code is wrong, or was used already': 'Der Code ist falsch, oder schon benutzt.',
    'the code is wrong: is the clock of the device right?':
      'Der Code ist falsch. Geht die Uhr des Geräts richtig?',
    'a code of your app, or a recovery code, is needed':
      'Gib einen Code aus deiner App oder einen Wiederherstellungscode ein.',
    'choose a username': 'Wähle einen Benutzernamen.',
    'a username has 1 to 32 of the characters a–z 0–9 _ . -':
      'Ein Benutzername hat 1 bis 32 Zeichen: Kleinbuchstaben a–z, Ziffern und _ . -',
    'username: can be changed once a day': 'Den Benutzernamen kannst du einmal am Tag ändern.',
    'this account is suspended: ask those who run this server':
      'Dieses Konto ist gesperrt. Frag die, die diesen Server betreiben.',
    'this passkey is not known here, or its answer does not hold any more: try again':
      'Dieser Passkey ist hier nicht bekannt, oder seine Antwort gilt nicht mehr. Versuche es erneut.',
    'does not answer the options as it has to, or too late, or on another page: ask for new ones':
      'Der Passkey hat falsch oder zu spät geantwortet. Versuche es erneut.',
    'sign in: there is no session': 'Melde dich an.',
    'there are several session cookies: remove the cookies of this site':
      'Es gibt mehrere Cookies einer Sitzung. Entferne die Cookies dieser Seite.',
    'this sign-in was not begun in this browser, is over, or was completed already: begin anew':
      'Diese Anmeldung hat nicht in diesem Browser begonnen, oder sie ist vorbei. Beginne von vorn.',
    'this invite has expired, or was used up': 'Diese Einladung ist abgelaufen oder aufgebraucht.',
    'only those may sign up to whom the operator gives a link':
      'Neue Konten gibt es nur mit einem Link derer, die diesen Server betreiben.',
    'an invite to a server is needed to sign up': 'Ein neues Konto braucht die Einladung zu einem Server.',
    'is the link of another account': 'Dieser Link gehört zu einem anderen Konto.',
    'confirms an e-mail address: POST /api/people/email/verify': 'Dieser Link bestätigt eine E-Mail-Adresse.',
    'is a link to sign up: POST /api/people/sign-up': 'Mit diesem Link erstellt man ein Konto.',
    'is required, or a passkey': 'Gib dein Passwort ein, oder nimm einen Passkey.',
    'must be an e-mail address such as ada@example.com': 'Gib eine Adresse wie ada@example.com ein.',
    'this address was sent several mails already: try again in an hour':
      'An diese Adresse gingen schon mehrere Mails. Versuche es in einer Stunde erneut.',
    'you have asked for several mails already: try again in an hour':
      'Du hast schon mehrere Mails verlangt. Versuche es in einer Stunde erneut.',
    'this server has sent as many mails as it may: try again in an hour':
      'Dieser Server darf gerade keine Mails mehr senden. Versuche es in einer Stunde erneut.',
    'is your password: DELETE /api/people/password': 'Das ist dein Passwort. Entferne es dort.',
    'this server sends no mails: ask whoever operates it for a link ("palaver user password --username …"), or to set PALAVER_MAIL':
      'Dieser Server verschickt keine Mails. Frag die, die ihn betreiben, nach einem Link.',
    'exportsPerUser: {} copies of your data are under way: {}':
      'Du bekommst schon eine Kopie, vielleicht in einem anderen Fenster. Warte auf ihr Ende.',
    'exports: {} copies of data are under way: {}':
      'Gerade bekommen mehrere eine Kopie. Versuche es in einer Minute erneut.',
    'is not your username': 'Das ist nicht dein Benutzername.',
    'is one of the most common passwords: choose another':
      'Dieses Passwort würden andere erraten. Nimm ein anderes.',
    'must not be your name or your address': 'Nimm weder deinen Namen noch deine Adresse.',
    'too many people sign in at this moment: try again':
      'Gerade melden sich zu viele an. Versuche es erneut.',
    'too many sign-ins with a provider are under way: try again in a minute':
      'Gerade laufen zu viele Anmeldungen. Versuche es in einer Minute erneut.',
    'too many apps wait: try again in a minute':
      'Gerade warten zu viele Apps. Versuche es in einer Minute erneut.',
    'a person has at most {} passkeys: remove one': 'Höchstens {0} Passkeys. Entferne einen.',
    'a person has at most {} identities: disconnect one': 'Höchstens {0} Konten. Trenne zuerst eines.',
    'browsers have no passkeys for an address of numbers such as {}: open {}':
      'Unter einer Adresse aus Zahlen gibt es keine Passkeys. Öffne {1}',
    'is not the name of the server': 'Das ist nicht der Name des Servers.',
    'is no person who is a member of the server': 'Das ist keine Person unter den Mitgliedern.',
    'is not a member of the server': 'Das ist kein Mitglied des Servers.',
    'is an agent; agents cannot sign in': 'Das ist ein Agent. Niemand meldet sich damit an.',
    'is suspended': 'Dieses Konto ist gesperrt.',
    'has closed their account, or was erased': 'Dieses Konto ist geschlossen oder gelöscht.',
    'is a role of another server': 'Das gehört zu einem anderen Server.',
    'has a role of another server': 'Das gehört zu einem anderen Server.',
    'is a channel of another server': 'Das gehört zu einem anderen Server.',
    'is a file of another server': 'Das gehört zu einem anderen Server.',
    'is a thread of another server': 'Das gehört zu einem anderen Server.',
    'is neither an app of the server nor installed in it': 'Diese App ist auf dem Server nicht installiert.',
    'must be in the future': 'Wähle einen Zeitpunkt in der Zukunft.',
    'is required, since the key has expired': 'Der Schlüssel ist abgelaufen. Wähle eine neue Frist.',
    'a message takes at most {} different emoji': 'Eine Nachricht hat höchstens {0} verschiedene Emojis.',
    '{} files are uploaded and not sent: send them, or delete some':
      '{0} Dateien sind hochgeladen und nicht gesendet. Sende sie, oder lösche einige.',
    'was sent: delete its message': 'Das ist gesendet. Lösche die Nachricht.',
    'was sent already': 'Das ist schon gesendet.',
    'must be a picture: PNG, JPEG, GIF or WebP': 'Nimm ein Bild: PNG, JPEG, GIF oder WebP.',
    'is larger than {} bytes': 'Das ist größer als {0}.',
    'is a picture of {} × {} pixels, and may have {} million':
      'Das Bild hat {0} × {1} Pixel. Erlaubt sind {2} Millionen Pixel.',
    'the upload took too long: repeat it': 'Das Hochladen hat zu lange gedauert. Versuche es erneut.',
    'must not be on this machine': 'Diese Adresse ist auf der Maschine des Servers selbst.',
    'must not be on a private, loopback, link-local or reserved address ({})':
      '{0} ist keine öffentliche Adresse.',
    'must not contain a user name or a password: everyone who sees the webhook sees them':
      'Ohne Namen und Passwort in der Adresse: Alle, die den Webhook sehen, sähen sie.',
    'is a delivery of an event that is no longer kept': 'Dieses Ereignis wird nicht mehr aufbewahrt.',
    '{} deliveries of this webhook wait to be sent: try again when they were':
      '{0} Zustellungen dieses Webhooks warten. Versuche es, wenn sie gesendet sind.',
    'the quota "{}" is used up: a server may have {} {}':
      '{0, select, fileMegabytes {Die Dateien des Servers sind voll: {1} MB.} other {Mehr als {1} davon kann ein Server nicht haben.}}',
    'has {} bytes as JSON, and the quota "{}" is {}': 'Das ist als JSON größer als {2}.',
    'must be at least {}': 'Gib mindestens {0} ein.',
    'must be at most {}': 'Gib höchstens {0} ein.',
    'must be an http or https URL': 'Gib eine URL ein, die mit https:// beginnt.',
    'the data cannot be reached just now: nothing was acknowledged, try again in a second':
      'Der Server kommt gerade nicht an seine Daten. Versuche es gleich erneut.',
    'files cannot be stored or read just now: nothing was acknowledged, try again later':
      'Dateien können gerade weder gespeichert noch gelesen werden. Versuche es später erneut.',
  },
  reasons: {
    missing: 'Fülle dieses Feld aus.',
    wrong_type: 'Das Format stimmt nicht.',
    unknown_value: 'Diesen Wert gibt es hier nicht.',
    wrong_form: 'Das Format stimmt nicht.',
    blank: 'Das darf nicht leer sein.',
    too_short: 'Gib mindestens {0} Zeichen ein.',
    too_long: 'Gib höchstens {0} Zeichen ein.',
    out_of_range: 'Das ist zu viel oder zu wenig.',
    too_few: 'Das sind zu wenige.',
    too_many: '{0, select, none {Das sind zu viele.} other {Höchstens {0} sind erlaubt.}}',
    too_large: 'Das ist zu groß.',
    too_deep: 'Das ist zu tief verschachtelt.',
    duplicate: 'Etwas steht hier doppelt.',
    bad_text: 'Der Text hat ein Zeichen, das nicht gespeichert werden kann.',
    expired: 'Das wird nicht mehr aufbewahrt.',
    mismatch: 'Diese Angaben passen nicht zusammen.',
    wrong_kind: 'Damit geht das nicht.',
    not_together: 'Diese Angaben gehen nicht zusammen.',
    fixed: 'Das lässt sich nicht ändern.',
    refused_address: 'An diese Adresse wird nichts gesendet.',
    quota: '{0, select, none {Mehr davon geht nicht.} other {Höchstens {0} sind erlaubt.}}',
    insecure_address: 'Passkeys gehen nur unter https und einem Namen, oder unter http://localhost.',
    weak_password: 'Dieses Passwort würden andere erraten. Nimm ein anderes.',
    too_slow: 'Die Übertragung hat zu lange gedauert. Versuche es erneut.',
    bad_form: 'Die Datei kam nicht ganz an. Versuche es erneut.',
  },
  codes: {
    UNAUTHORIZED: 'Melde dich erneut an.',
    INVALID_API_KEY: 'Das gilt nicht mehr. Versuche es erneut.',
    FORBIDDEN: 'Das darfst du nicht.',
    NOT_FOUND: 'Das gibt es nicht, oder nicht mehr.',
    INVALID_REQUEST: 'So nimmt der Server das nicht an.',
    ALREADY_EXISTS: 'Das ist schon da.',
    RATE_LIMITED: 'Zu viele Anfragen. Versuche es gleich erneut.',
    INTERNAL_ERROR: 'Auf dem Server ist etwas schiefgegangen. Versuche es später erneut.',
  },
});
