import type * as english from '../en/refusals.ts';
import { texts } from '../texts.ts';

export const allows: typeof english.allows = texts({
  canAdmin:
    'Alles Folgende, dazu Rollen und alle privaten Kanäle. Nur für Leute, denen du den ganzen Server anvertrauen würdest.',
  canEditServer: 'Name, Bilder, Begrüßung, Kanäle und Apps des Servers bearbeiten.',
  canEditChannel: 'Kanäle und Apps erstellen, bearbeiten und löschen; Nachrichten anpinnen.',
  canEditData: 'Nachrichten senden, Threads starten, reagieren und Einladungen erstellen.',
  canModerate:
    'Nachrichten anderer löschen, bearbeiten und anpinnen, kicken und bannen, Threads sperren und in schreibgeschützten Kanälen schreiben.',
  canEditApp: 'API-Schlüssel, Webhooks und Flows verwalten und festlegen, welche Apps installiert sind.',
  canViewData: 'Installierte Apps mit ihren Einstellungen und Flows ansehen.',
});

export const refusals = texts({
  words: {
    'your roles lack {}, and you can only grant permissions you have':
      'Deinen Rollen fehlt {0}. Du kannst nur Berechtigungen vergeben, die du hast.',
    'your roles lack {}, which the key or webhook to revoke has':
      'Schlüssel und Webhooks mit Berechtigungen, die du nicht hast, kannst du nicht widerrufen. Deinen Rollen fehlt {0}.',
    'your roles lack {}': 'Dafür brauchst du eine Rolle mit {0}.',
    'you are not allowed to do that': 'Das darfst du nicht.',
    'this is not in the server you are acting in': 'Das gehört zu einem anderen Server.',
    'you cannot see this channel': 'Du kannst diesen Kanal nicht sehen.',
    'you cannot see this': 'Du kannst das nicht sehen.',
    'you cannot see the channel of this thread': 'Du kannst den Kanal dieses Threads nicht sehen.',
    'only a platform admin can change verified and installCount of an app in the registry':
      'Das können nur Plattform-Admins ändern.',
    'this app belongs to another server. Submit it to the registry to install it elsewhere':
      'Diese App gehört einem anderen Server.',
    'this thread is locked': 'Dieser Thread ist gesperrt.',
    'a moderator timed you out until {}. You can read until then':
      'Die Moderation hat dir eine Auszeit gegeben. Bis dahin kannst du nur lesen.',
    'the text contains words that this server does not allow. Remove them and try again':
      'Der Text enthält Wörter, die dieser Server nicht erlaubt. Entferne sie und versuche es erneut.',
    'some of these words need approval by a moderator. Send them in a new message without files':
      'Einige dieser Wörter muss die Moderation freigeben. Sende sie in einer neuen Nachricht ohne Dateien.',
    'must contain a letter or digit, and no * on its own':
      'Ein Muster braucht einen Buchstaben oder eine Ziffer, und * steht immer an einem Wort.',
    'only admins can change how long messages are kept':
      'Wie lange Nachrichten bleiben, legen nur Admins fest.',
    "this cannot be deleted now. Contact the server's operator":
      'Das lässt sich im Moment nicht löschen. Wende dich an die Betreiber dieses Servers.',
    'only moderators can time out members': 'Nur die Moderation kann Mitgliedern eine Auszeit geben.',
    'you cannot time yourself out': 'Dir selbst kannst du keine Auszeit geben.',
    'the owner and moderators of a server cannot be timed out. Remove their role first':
      'Inhaber:innen und Moderation eines Servers können keine Auszeit bekommen. Entziehe ihnen zuerst die Rolle.',
    'slow mode: one message in {} s in this channel. Retry in {} s':
      'In diesem Kanal ist eine Nachricht alle {0} s erlaubt. Noch {1} s.',
    'this command already exists in the server': 'Diesen Befehl gibt es auf dem Server schon.',
    'you are not asked to decide this': 'Du kannst das nicht entscheiden.',
    'only people can act on blocks and use commands': 'Das können nur Personen, keine Agenten.',
    'only agents can send blocks. Use the API key of an agent':
      'Nur Agenten können Blöcke senden. Verwende den API-Schlüssel eines Agenten.',
    'you can only attach files you uploaded': 'Diese Datei hat jemand anderes hochgeladen.',
    'a moderator locked this thread, so only a moderator can unlock it':
      'Die Moderation hat diesen Thread gesperrt, und nur sie kann ihn entsperren.',
    'this role sees private channels that you cannot see':
      'Diese Rolle sieht private Kanäle, die du nicht siehst.',
    'this key or webhook sees private channels that you cannot see':
      'Dieser Schlüssel oder Webhook sieht private Kanäle, die du nicht siehst.',
    'this key or webhook acts as another person, or as an agent with permissions of its own':
      'Dieser Schlüssel oder Webhook handelt für eine andere Person oder für einen Agenten mit eigenen Berechtigungen.',
    'you can create keys only for yourself, or for an agent without permissions of its own':
      'Du kannst Schlüssel nur für dich oder für einen Agenten ohne eigene Berechtigungen erstellen.',
    'this agent belongs to another server. Create its keys there':
      'Dieser Agent gehört zu einem anderen Server. Erstelle seine Schlüssel dort.',
    'confirm your identity: POST /api/people/proof with your password or a passkey, then try again':
      'Bestätige, dass du es bist, und versuche es erneut.',
    'there were too many wrong passwords or codes. Sign in from a browser that you have used here before, with a passkey, or with a password reset link':
      'Es gab zu viele falsche Passwörter oder Codes. Melde dich in einem Browser an, den du hier schon benutzt hast, mit einem Passkey oder über einen Link zum Zurücksetzen des Passworts.',
    'if you lost a device, you could no longer sign in. Set a password or add another passkey first':
      'Verlierst du ein Gerät, könntest du dich nicht mehr anmelden. Wähle zuerst ein Passwort, oder füge einen weiteren Passkey hinzu.',
    'only the owner of a server can transfer it': 'Nur die Inhaber:in kann den Server übertragen.',
    'only the owner of a server can delete it': 'Nur die Inhaber:in kann den Server löschen.',
    'you own this server. Transfer ownership or delete it first':
      'Dieser Server gehört dir. Übertrage oder lösche ihn.',
    'you own servers. Transfer or delete them first': 'Dir gehören Server. Übertrage oder lösche sie.',
    'you cannot suspend yourself. Ask another platform admin':
      'Du kannst dich nicht selbst sperren. Bitte einen anderen Plattform-Admin.',
    'this is the last platform admin. Make someone else a platform admin first':
      'Sonst könnte niemand mehr die Plattform verwalten. Mach zuerst jemand anderen zum Admin.',
    'this server would have no admin left. Assign an admin role to another member first':
      'Sonst könnte niemand mehr diesen Server verwalten. Gib zuerst einem anderen Mitglied eine Rolle mit „Administration“.',
    'you cannot ban yourself': 'Dich selbst kannst du nicht bannen.',
    'somebody here does not accept direct messages': 'Hier nimmt jemand keine Direktnachrichten an.',
    'you already block this user': 'Du blockierst diese Person schon.',
    'you have already reported this message': 'Du hast diese Nachricht schon gemeldet.',
    'the owner of the server cannot be banned': 'Inhaber:innen eines Servers können nicht gebannt werden.',
    'this user, or the user who created this agent, is banned from the server':
      'Dieses Konto ist vom Server gebannt, oder das Konto, das den Agenten erstellt hat.',
    'the default role cannot be deleted': 'Die Standardrolle kann nicht gelöscht werden.',
    "the creator's admin role cannot be deleted":
      'Die Admin-Rolle der Inhaber:in kann nicht gelöscht werden.',
    'this app is already installed in the server': 'Diese App ist auf dem Server schon installiert.',
    'you have already saved this message': 'Du hast diese Nachricht schon gespeichert.',
    'an emoji with this name already exists in the server': 'Ein Emoji mit diesem Namen gibt es schon.',
    'a channel with this name already exists in the server': 'Einen Kanal mit diesem Namen gibt es schon.',
    'another device has already saved a draft here':
      'Ein anderes Gerät von dir hat hier schon einen Entwurf gespeichert.',
    'another device has changed this draft in the meantime':
      'Ein anderes Gerät von dir hat diesen Entwurf inzwischen geändert.',
    'this account is already linked': 'Dieses Konto ist schon verbunden.',
    'this passkey is already registered': 'Dieser Passkey ist schon registriert.',
    'this email address is taken': 'Diese E-Mail-Adresse ist vergeben.',
    'this message is already pinned': 'Diese Nachricht ist schon angepinnt.',
    'you have already reacted to this message with this emoji':
      'Mit diesem Emoji hast du schon auf die Nachricht reagiert.',
    'this user is already banned from the server': 'Dieses Konto ist schon vom Server gebannt.',
    'this user is already a member of the server': 'Dieses Konto ist schon Mitglied des Servers.',
    'this username is taken': 'Dieser Benutzername ist vergeben.',
    'this user already has the role': 'Dieses Mitglied hat die Rolle schon.',
    'two-factor authentication is already on. Turn it off before you set it up again':
      'Die Zwei-Faktor-Anmeldung ist schon eingeschaltet. Schalte sie zuerst aus.',
    'two-factor authentication is already on': 'Die Zwei-Faktor-Anmeldung ist schon eingeschaltet.',
    'the username or password is wrong': 'Der Name oder das Passwort ist falsch.',
    'the password is wrong': 'Das Passwort ist falsch.',
    'the code is wrong or was already used': 'Der Code ist falsch oder wurde schon benutzt.',
    'the code is wrong. Check the clock of your device':
      'Der Code ist falsch. Geht die Uhr des Geräts richtig?',
    'enter a code from your authenticator app, or a recovery code':
      'Gib einen Code aus deiner App oder einen Wiederherstellungscode ein.',
    'choose a username': 'Wähle einen Benutzernamen.',
    'a username has 1 to 32 characters: a–z 0–9 _ . -':
      'Ein Benutzername hat 1 bis 32 Zeichen: Kleinbuchstaben a–z, Ziffern und _ . -',
    'this person has an account. Invite them with POST /api/people/invitations':
      'Diese Person hat ein Konto und muss deshalb erst eine Einladung annehmen.',
    'this user left the server. Only they can join it again':
      'Dieses Konto hat den Server verlassen und kann nur selbst zurückkommen.',
    'this person has already been invited to the server': 'Diese Person ist schon auf den Server eingeladen.',
    'another invite has this code': 'Eine andere Einladung hat diesen Code.',
    'you can change your username once a day': 'Den Benutzernamen kannst du einmal am Tag ändern.',
    "this account is suspended. Contact the server's operator":
      'Dieses Konto ist gesperrt. Wende dich an die Betreiber dieses Servers.',
    'this passkey is unknown, or the request has expired. Try again':
      'Dieser Passkey ist unbekannt, oder die Anfrage ist abgelaufen. Versuche es erneut.',
    'does not match the options, or they have expired. Request new options':
      'Der Passkey passt nicht, oder die Anfrage ist abgelaufen. Versuche es erneut.',
    'you are not signed in. Sign in': 'Melde dich an.',
    "there are several session cookies. Delete this site's cookies and sign in again":
      'Es gibt mehrere Sitzungscookies. Lösche die Cookies dieser Seite und melde dich erneut an.',
    'this sign-in was started in another browser, has expired, or is already complete. Start again':
      'Diese Anmeldung wurde in einem anderen Browser begonnen, ist abgelaufen oder schon abgeschlossen. Beginne von vorn.',
    'this invite has expired or has no uses left': 'Diese Einladung ist abgelaufen oder aufgebraucht.',
    "sign-up is closed. Ask the server's operator for a link":
      'Neue Konten gibt es nur mit einem Link von den Betreibern dieses Servers.',
    'you need an invite to a server to sign up':
      'Für ein neues Konto brauchst du eine Einladung zu einem Server.',
    'is a link for another account': 'Dieser Link gehört zu einem anderen Konto.',
    'is a link to confirm an email address. Use POST /api/people/email/verify':
      'Dieser Link bestätigt eine E-Mail-Adresse.',
    'is a sign-up link. Use POST /api/people/sign-up': 'Mit diesem Link erstellt man ein Konto.',
    'is required, unless you use a passkey': 'Gib dein Passwort ein oder verwende einen Passkey.',
    'must be an email address such as ada@example.com': 'Gib eine Adresse wie ada@example.com ein.',
    'this address has already received several emails. Try again in an hour':
      'An diese Adresse gingen schon mehrere E-Mails. Versuche es in einer Stunde erneut.',
    'you have already requested several emails. Try again in an hour':
      'Du hast schon mehrere E-Mails angefordert. Versuche es in einer Stunde erneut.',
    'this server has reached its hourly email limit. Try again in an hour':
      'Dieser Server hat sein stündliches E-Mail-Limit erreicht. Versuche es in einer Stunde erneut.',
    'is your password. Remove it with DELETE /api/people/password':
      'Das ist dein Passwort. Entferne es in den Einstellungen zum Passwort.',
    'this server does not send email. Ask its operator for a link ("palaver user password --username …"), or to set PALAVER_MAIL':
      'Dieser Server verschickt keine E-Mails. Bitte seine Betreiber um einen Link.',
    'exportsPerUser: {} exports of your data are in progress: {}':
      'Ein Export läuft schon, vielleicht in einem anderen Fenster. Warte, bis er fertig ist.',
    'an export of your data is in progress': 'Ein Export deiner Daten läuft schon. Warte auf sein Ende.',
    'you can start {} exports of your data per day':
      'Du kannst am Tag {0} Exporte deiner Daten starten. Versuche es morgen erneut.',
    'exports: {} data exports are in progress: {}':
      'Gerade laufen zu viele Exporte. Versuche es in einer Minute erneut.',
    'does not match your username': 'Das ist nicht dein Benutzername.',
    'must not be a common password, or derived from one':
      'Dieses Passwort ist zu leicht zu erraten. Wähle ein anderes.',
    'must not be based on your name, your email address, the name of the server or “Palaver”':
      'Verwende weder deinen Namen oder deine E-Mail-Adresse noch den Namen des Servers oder „Palaver“.',
    'must contain at least four different characters': 'Verwende mindestens vier verschiedene Zeichen.',
    'must be on a host that the operator allows for webhooks':
      'Der Betreiber erlaubt Webhooks nur an bestimmte Hosts.',
    'too many people are signing in right now. Try again':
      'Gerade melden sich zu viele Personen an. Versuche es erneut.',
    'too many sign-ins are in progress. Try again in a minute':
      'Gerade laufen zu viele Anmeldungen. Versuche es in einer Minute erneut.',
    'too many apps are waiting for approval. Try again in a minute':
      'Gerade warten zu viele Apps. Versuche es in einer Minute erneut.',
    'you have reached the limit of {} passkeys. Remove one first':
      'Du kannst höchstens {0} Passkeys haben. Entferne zuerst einen.',
    'you have reached the limit of {} ways to sign in (linked accounts and the password). Unlink one first':
      'Du kannst dich auf höchstens {0} Arten anmelden (verbundene Konten und das Passwort). Trenne zuerst ein Konto.',
    'browsers do not support passkeys for IP addresses such as {}. Open {}':
      'Passkeys funktionieren nicht unter IP-Adressen. Öffne {1}',
    "does not match the server's name": 'Das ist nicht der Name des Servers.',
    'must be a member of the server and a person, not an agent':
      'Das muss ein Mitglied des Servers sein, und kein Agent.',
    'is not a member of the server': 'Das ist kein Mitglied des Servers.',
    'is an agent; agents cannot sign in': 'Das ist ein Agent. Agenten können sich nicht anmelden.',
    'is suspended': 'Dieses Konto ist gesperrt.',
    'has closed their account or was erased': 'Dieses Konto ist geschlossen oder gelöscht.',
    'is a role of another server': 'Das gehört zu einem anderen Server.',
    'contains a role of another server': 'Das gehört zu einem anderen Server.',
    'is a channel of another server': 'Das gehört zu einem anderen Server.',
    'is a file of another server': 'Das gehört zu einem anderen Server.',
    'is a thread of another server': 'Das gehört zu einem anderen Server.',
    'is neither an app of the server nor installed in it': 'Diese App ist auf dem Server nicht installiert.',
    'must be in the future, at most {} days ahead':
      'Wähle einen Zeitpunkt in der Zukunft, höchstens {0} Tage voraus.',
    'must be in the future': 'Wähle einen Zeitpunkt in der Zukunft.',
    'is required, because the key has expired': 'Der Schlüssel ist abgelaufen. Wähle ein neues Ablaufdatum.',
    'a message can have at most {} different emoji':
      'Eine Nachricht kann höchstens {0} verschiedene Emoji haben.',
    'you have {} uploaded files that are not sent. Send them or delete some':
      'Du hast {0} hochgeladene Dateien nicht gesendet. Sende sie oder lösche einige.',
    'was already sent. Delete its message instead':
      'Das wurde schon gesendet. Lösche stattdessen die Nachricht.',
    'looks like "{}", an app that you approved earlier':
      'Dieser Name sieht aus wie „{0}“, eine App, die du schon verbunden hast, ist aber anders geschrieben. Vielleicht ahmt sie jemand nach.',
    'looks like the name of Palaver itself': 'Diese App ahmt den Namen von Palaver nach.',
    'was already sent': 'Das wurde schon gesendet.',
    'must be an image: PNG, JPEG, GIF or WebP': 'Wähle ein Bild: PNG, JPEG, GIF oder WebP.',
    'is larger than {} bytes': 'Das ist zu groß. Erlaubt sind höchstens {0}.',
    'has {} × {} pixels. The limit is {} million pixels':
      'Das Bild hat {0} × {1} Pixel. Erlaubt sind {2} Millionen Pixel.',
    'the upload took too long. Try again': 'Das Hochladen hat zu lange gedauert. Versuche es erneut.',
    'must not be on this machine': 'Diese Adresse führt zum Server selbst.',
    'must not be on a private, loopback, link-local or reserved address ({})':
      '{0} ist keine öffentliche Adresse.',
    'must not contain a username or password, because everyone who can see the webhook could see them':
      'Die URL darf weder Benutzernamen noch Passwort enthalten: Alle, die den Webhook sehen, könnten sie lesen.',
    'is the delivery of an event that is no longer kept': 'Dieses Ereignis wird nicht mehr aufbewahrt.',
    '{} deliveries of this webhook are pending. Try again later':
      '{0} Zustellungen dieses Webhooks warten. Versuche es, wenn sie gesendet sind.',
    'the quota "{}" is used up: a server can have {} {}':
      '{0, select, fileMegabytes {Der Speicher des Servers für Dateien ist voll: {1} MB.} other {Mehr als {1} davon kann ein Server nicht haben.}}',
    'your {} MB for files are used up. Delete some first (quota "personMegabytes")':
      'Deine {0} MB für Dateien sind belegt. Lösche zuerst einige.',
    'the {} MB for all files here are used up. Ask the operator for more (quota "storageMegabytes")':
      'Der Speicher für alle Dateien ist voll: {0} MB. Bitte den Betreiber um mehr.',
    'only admins of this platform can create servers': 'Hier können nur Plattform-Admins Server erstellen.',
    '{} reached the limit of {} servers': 'Mehr als {1} Server kann eine Person nicht haben.',
    "the server's disk is full: nothing can be saved until its operator frees space. Try again later":
      'Die Festplatte des Servers ist voll. Es lässt sich nichts speichern, bis der Betreiber Platz schafft.',
    'has {} bytes as JSON. The quota "{}" is {}': 'Das ist als JSON größer als {2}.',
    'must be at least {}': 'Gib mindestens {0} ein.',
    'must be at most {}': 'Gib höchstens {0} ein.',
    'must be an http or https URL': 'Gib eine URL ein, die mit https:// beginnt.',
    'the database is temporarily unavailable. Try again in a second':
      'Die Datenbank ist gerade nicht erreichbar. Versuche es gleich erneut.',
    'file storage is temporarily unavailable. Try again later':
      'Dateien können gerade weder gespeichert noch gelesen werden. Versuche es später erneut.',
  },
  reasons: {
    missing: 'Fülle dieses Feld aus.',
    wrong_type: 'Das Format stimmt nicht.',
    unknown_value: 'Diesen Wert gibt es hier nicht.',
    wrong_form: 'Das Format stimmt nicht.',
    blank: 'Gib mindestens ein sichtbares Zeichen ein.',
    too_short: 'Gib mindestens {0} Zeichen ein.',
    too_long: 'Gib höchstens {0} Zeichen ein.',
    out_of_range: 'Dieser Wert ist zu groß oder zu klein.',
    too_few: 'Das sind zu wenige.',
    too_many: '{0, select, none {Das sind zu viele.} other {Höchstens {0} sind erlaubt.}}',
    too_large: 'Das ist zu groß.',
    too_deep: 'Das ist zu tief verschachtelt.',
    duplicate: 'Etwas steht hier doppelt.',
    bad_text: 'Der Text hat ein Zeichen, das hier nicht erlaubt ist, zum Beispiel ein unsichtbares.',
    expired: 'Das wird nicht mehr aufbewahrt.',
    reserved: 'Dieser Name ist reserviert. Wähle einen anderen.',
    mismatch: 'Diese Angaben passen nicht zusammen.',
    wrong_kind: 'Das ist hier nicht möglich.',
    not_together: 'Diese Angaben lassen sich nicht kombinieren.',
    fixed: 'Das lässt sich nicht ändern.',
    refused_address: 'An diese Adresse wird nichts gesendet.',
    quota: '{0, select, none {Das Limit ist erreicht.} other {Höchstens {0} sind erlaubt.}}',
    insecure_address:
      'Passkeys funktionieren nur über https mit einem Hostnamen oder unter http://localhost.',
    weak_password: 'Dieses Passwort ist zu leicht zu erraten. Wähle ein anderes.',
    too_slow: 'Die Übertragung hat zu lange gedauert. Versuche es erneut.',
    bad_form: 'Die Datei kam nicht ganz an. Versuche es erneut.',
  },
  codes: {
    UNAUTHORIZED: 'Melde dich erneut an.',
    INVALID_API_KEY: 'Das ist nicht mehr gültig. Versuche es erneut.',
    FORBIDDEN: 'Das darfst du nicht.',
    NOT_FOUND: 'Das gibt es nicht oder nicht mehr.',
    INVALID_REQUEST: 'Der Server hat die Anfrage abgelehnt.',
    ALREADY_EXISTS: 'Das gibt es schon.',
    RATE_LIMITED: 'Zu viele Anfragen. Versuche es gleich erneut.',
    INTERNAL_ERROR: 'Auf dem Server ist etwas schiefgegangen. Versuche es später erneut.',
  },
});
