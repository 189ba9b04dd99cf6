import type * as english from '../en/platformSettings.ts';
import { texts } from '../texts.ts';

export const platformSettings: typeof english.platformSettings = texts({
  lead: 'Änderungen gelten sofort auf allen Nodes und haben Vorrang vor den Einstellungen, mit denen der Server gestartet wurde.',
  changed: 'Einstellung geändert.',
  sources: {
    platform: 'Hier gesetzt',
    flag: 'In der Befehlszeile gesetzt',
    environment: 'Per Umgebungsvariable gesetzt',
    file: 'In der Konfigurationsdatei gesetzt',
    default: 'Standard',
  },
  otherwise: 'Nach dem Zurücksetzen: {value} ({source})',
  takeBack: 'Zurücksetzen',
  names: {
    signUp: {
      title: 'Registrierung',
      about: 'Wer einen Link von dir hat, kann sich immer registrieren.',
      values: {
        open: 'Alle',
        invite: 'Mit einer Einladung',
        closed: 'Niemand',
      },
    },
    serverCreators: {
      title: 'Erstellen von Servern',
      about: 'Vorhandene Server bleiben und lassen sich weiter übertragen.',
      values: {
        anybody: 'Alle',
        admins: 'Plattform-Admins',
      },
    },
    serversPerPerson: {
      title: 'Server pro Person',
      about: 'So viele Server kann eine Person besitzen. Wer mehr hat, behält sie.',
      after: 'Server',
      unit: '{value, plural, one {# Server} other {# Server}}',
    },
    personMegabytes: {
      title: 'Speicher pro Person',
      about:
        'Maximale Gesamtgröße der Dateien und Bilder einer Person und der Agenten auf ihren Servern. 0 bedeutet: kein Limit.',
      after: 'MB',
      unit: '{value, plural, one {# Megabyte} other {# Megabyte}}',
    },
    storageMegabytes: {
      title: 'Speicher insgesamt',
      about: 'Maximale Gesamtgröße aller Dateien und Bilder. 0 bedeutet: kein Limit.',
      after: 'MB',
      unit: '{value, plural, one {# Megabyte} other {# Megabyte}}',
    },
    fileMegabytes: {
      title: 'Maximale Dateigröße',
      about:
        'Größere Uploads werden abgelehnt. Vorhandene Dateien bleiben. Ein Proxy vor dem Server kann ein eigenes Limit haben.',
      after: 'MB',
      unit: '{value, plural, one {# Megabyte} other {# Megabyte}}',
    },
    eventDays: {
      title: 'Aufbewahrung von Ereignissen',
      about:
        'So weit zurück können Clients und Webhooks Ereignisse nachholen. Verringerst du den Wert, werden ältere Ereignisse innerhalb von Minuten endgültig gelöscht.',
      after: 'Tage',
      unit: '{value, plural, one {# Tag} other {# Tage}}',
    },
  },
  between: 'Eine ganze Zahl von {min} bis {max}.',
  others: 'Weitere Einstellungen',
  othersMore:
    'Werden beim Start gelesen, aus Befehlszeile, Umgebungsvariablen oder Konfigurationsdatei. Gezeigt sind die Werte dieses Nodes, ohne Passwörter und Schlüssel.',
  setting: 'Einstellung',
  value: 'Wert',
  source: 'Quelle',
  empty: 'Nicht gesetzt',
  guide: 'Alle Einstellungen in der Dokumentation',
});
