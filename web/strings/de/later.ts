import type * as english from '../en/later.ts';
import { texts } from '../texts.ts';

export const later: typeof english.later = texts({
  title: 'Später',
  sections: {
    saved: 'Gespeichert',
    scheduled: 'Geplant',
  },
  inThread: 'Thread',
  today: 'heute um {time}',
  tomorrow: 'morgen um {time}',
  date: '{date}',
  dateAndTime: 'Datum und Uhrzeit',
  zone: 'In deiner Zeitzone, {zone}',
});

export const saved: typeof english.saved = texts({
  lead: 'Nachrichten von allen Servern, die du für später gespeichert hast. Nur du siehst diese Liste.',
  none: 'Keine gespeicherten Nachrichten',
  noneMore:
    'Wähle im Menü einer Nachricht „Für später speichern“. Du kannst dich auch an sie erinnern lassen.',
  saved: 'Für später gespeichert.',
  removed: 'Aus „Gespeichert“ entfernt.',
  gone: 'Diese Nachricht wurde gelöscht, oder du hast keinen Zugriff mehr.',
  view: 'Ansehen',
  remove: 'Aus „Gespeichert“ entfernen',
  reminder: 'Erinnerung: {when}',
  remind: 'Erinnern',
  changeReminder: 'Erinnerung ändern',
  removeReminder: 'Erinnerung entfernen',
  set: 'Erinnerung gesetzt: {when}.',
  unset: 'Erinnerung entfernt.',
  setAction: 'Erinnerung setzen',
  in: {
    minutes: 'In 20 Minuten',
    hour: 'In 1 Stunde',
    hours: 'In 3 Stunden',
    tomorrow: 'Morgen',
    week: 'Nächste Woche',
    custom: 'Eigene Zeit …',
  },
});

export const scheduled: typeof english.scheduled = texts({
  lead: 'Deine geplanten Nachrichten von allen Servern. Sie werden unter deinem Namen gesendet, wenn du dann noch im Kanal schreiben kannst.',
  none: 'Keine geplanten Nachrichten',
  noneMore: 'Schreibe eine Nachricht und wähle neben dem Senden-Button „Nachricht planen“.',
  schedule: 'Nachricht planen',
  empty: 'Schreibe zuerst eine Nachricht',
  noFiles: 'Nachrichten mit Dateien lassen sich nicht planen',
  tomorrow: 'Morgen um {time}',
  weekday: '{day} um {time}',
  custom: 'Eigene Zeit …',
  all: 'Geplante Nachrichten ansehen',
  done: 'Nachricht geplant für {when}.',
  for: 'Geplant für {when}',
  to: 'An {place}',
  unknown: 'einen Kanal, den du nicht mehr siehst',
  failed: 'Nicht gesendet: {why}',
  edit: 'Nachricht bearbeiten',
  message: 'Nachricht',
  again: 'Erneut versuchen',
  sendNow: 'Jetzt senden',
  more: 'Optionen für diese Nachricht',
  sent: 'Nachricht gesendet.',
  deleteAsk: 'Geplante Nachricht löschen?',
  deleteMore: 'Sie wird nicht gesendet, und ihr Text geht verloren.',
  here: '{count, plural, one {1 Nachricht geplant für {when}.} other {# Nachrichten geplant, die nächste für {when}.}}',
  failedHere:
    '{count, plural, one {Eine geplante Nachricht wurde nicht gesendet.} other {# geplante Nachrichten wurden nicht gesendet.}}',
  view: 'Ansehen',
});
