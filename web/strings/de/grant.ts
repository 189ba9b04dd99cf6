import type * as english from '../en/grant.ts';
import { texts } from '../texts.ts';

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
    canEditApp: 'Festlegen, welche Apps installiert sind, und Flows bearbeiten',
    canViewData: 'Installierte Apps und Flows ansehen',
  },
  lacks: 'Du hast diese Berechtigung nicht.',
  limits:
    'Sie hat keinen Zugriff auf deine Direktnachrichten, deine anderen Server und dein Konto und kann keine API-Schlüssel oder Webhooks erstellen. Der Zugriff endet nach 90 Tagen. Du kannst ihn jederzeit widerrufen: Deine Einstellungen → Sitzungen und Apps.',
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
