import type { platformSettings as english } from '../en/platformSettings.ts';
import { number, plural } from '../format.ts';

export const platformSettings: typeof english = {
  lead: 'Eine Änderung hier gilt auf jedem Node innerhalb einer Sekunde, vor den Einstellungen, mit denen der Server gestartet wurde.',
  changed: 'Geändert.',
  sources: {
    platform: 'Hier gesetzt',
    flag: 'Von der Befehlszeile',
    environment: 'Aus der Umgebung',
    file: 'Aus der Konfigurationsdatei',
    default: 'Wie ausgeliefert',
  },
  otherwise: (value, source) => `Ohne die Änderung hier: ${value}. ${source}.`,
  takeBack: 'Änderung zurücknehmen',
  names: {
    signUp: {
      title: 'Wer sich registrieren kann',
      about: 'Ein Link, den du für jemanden erstellst, lässt in jedem Fall herein.',
      values: {
        open: 'Alle',
        invite: 'Mit einer Einladung',
        closed: 'Niemand',
      },
    },
    fileMegabytes: {
      title: 'Größe einer Datei',
      about: 'Größere werden abgelehnt. Vorhandene bleiben. Ein Proxy davor kann eine eigene Grenze haben.',
      after: 'MB',
      unit: (value) => plural(value, { one: '# Megabyte', other: '# Megabyte' }),
    },
    eventDays: {
      title: 'Ereignisse bleiben',
      about:
        'So weit zurück können Clients und Webhooks nachholen. Weniger Tage entfernen ältere Ereignisse innerhalb von Minuten, endgültig.',
      after: 'Tage',
      unit: (value) => plural(value, { one: '# Tag', other: '# Tage' }),
    },
  },
  between: (min, max) => `Eine ganze Zahl von ${number(min)} bis ${number(max)}.`,
  others: 'Alle anderen Einstellungen',
  othersMore:
    'Sie werden beim Start gelesen: von der Befehlszeile, aus der Umgebung oder aus der Konfigurationsdatei. Diese sind die des Nodes, der geantwortet hat; Passwörter und Schlüssel sind ausgelassen.',
  setting: 'Einstellung',
  value: 'Wert',
  source: 'Woher er kommt',
  empty: 'Leer',
  guide: 'Jede Einstellung, in der Dokumentation',
};
