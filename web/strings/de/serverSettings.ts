import type { serverSettings as english } from '../en/serverSettings.ts';
import { list } from '../format.ts';

export const serverSettings: typeof english = {
  title: 'Servereinstellungen',
  back: 'Zurück zum Server',
  missing: 'So eine Seite gibt es in diesen Einstellungen nicht.',
  missingMore: 'Vielleicht wurde der Server gelöscht, oder du hast ihn verlassen.',
  groups: { server: 'Server', people: 'Personen', programs: 'Programme', records: 'Aufzeichnungen' },
  sections: {
    overview: 'Übersicht',
    channels: 'Kanäle',
    roles: 'Rollen',
    members: 'Mitglieder',
    invites: 'Einladungen',
    bans: 'Banns',
    keys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    apps: 'Apps',
    flows: 'Flows',
    audit: 'Audit-Log',
    usage: 'Nutzung',
    danger: 'Gefahrenzone',
  },
  edit: 'Bearbeiten',
  choose: 'Wählen',
  kept: 'Ich habe es aufbewahrt',
  copyNamed: (what) => `Kopieren: ${what}`,
  findMember: 'Mitglied suchen',
  noMember: 'Niemand mit diesem Namen',
  noMemberMore: 'Gesucht wird in Namen, Spitznamen und Benutzernamen, nach den Anfängen ihrer Wörter.',
  actionsFor: (name) => `Aktionen für ${name}`,
  created: (when) => `Erstellt ${when}`,
  by: 'von',
  never: 'Nie',
  closed: 'Das darfst du nicht.',
  lastAdmin:
    'Sonst könnte niemand mehr diesen Server verwalten. Gib zuerst einem anderen Mitglied eine Rolle mit „Administration“.',
  needs: (name) => `Dafür braucht es eine Rolle mit „${name}“.`,
  needsOneOf: (names) => `Dafür braucht es eine Rolle mit einem von: ${list(names)}.`,
  somebody: 'Jemand, der gegangen ist',
  operator: 'Betrieb',
  json: {
    missing: 'Schreib hier JSON hin.',
    noList: 'Das muss eine Liste sein: [ … ].',
    wrong: (why) => `Das ist kein gültiges JSON: ${why}`,
  },
  saved: 'Gespeichert.',
  notSaved: (why) => `Nicht gespeichert und zurückgenommen: ${why}`,
  flags: {
    canAdmin: {
      name: 'Administration',
      allows:
        'Alles Folgende, Rollen und jeder private Kanal. Gib sie denen, denen du den Server übergeben würdest.',
    },
    canEditServer: {
      name: 'Server verwalten',
      allows: 'Namen, Bild, Begrüßung, Kanäle und eigene Apps ändern.',
    },
    canEditChannel: {
      name: 'Kanäle verwalten',
      allows: 'Kanäle und eigene Apps erstellen, ändern und löschen; Nachrichten anpinnen.',
    },
    canEditData: {
      name: 'Mitmachen',
      allows: 'Nachrichten senden, Threads starten, reagieren und Einladungen erstellen.',
    },
    canModerate: {
      name: 'Moderieren',
      allows:
        'Nachrichten anderer entfernen, bearbeiten und anpinnen, kicken und bannen, Threads sperren und in Kanälen schreiben, die nur zum Lesen sind.',
    },
    canEditApp: {
      name: 'Programme verwalten',
      allows: 'API-Schlüssel, Webhooks, Flows, und welche Apps installiert sind.',
    },
    canViewData: {
      name: 'Programme sehen',
      allows: 'Die installierten Apps mit ihren Einstellungen und die Flows sehen.',
    },
  },
};
