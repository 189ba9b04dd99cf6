import type * as english from '../en/platform.ts';
import { texts } from '../texts.ts';

export const platform: typeof english.platform = texts({
  title: 'Administration',
  closed: 'Diese Seiten sind für Admins der Plattform',
  closedMore: 'Wer diesen Server betreibt, kann dich dazu machen.',
  actions: 'Aktionen',
  sections: {
    health: 'Zustand',
    users: 'Konten',
    servers: 'Server',
    apps: 'Apps',
    settings: 'Einstellungen',
    audit: 'Audit-Log',
  },
  users: {
    lead: 'Alle mit einem Namen hier, die neuesten zuerst. Du siehst Konten, nie, was jemand schreibt.',
    search: 'Nach Benutzername oder Name suchen',
    searchHint: 'Der Anfang davon',
    among: 'Welche Konten',
    amongs: {
      all: 'Alle',
      admins: 'Admins',
      suspended: 'Gesperrt',
    },
    none: 'Da ist niemand',
    noneMore: 'Namen werden an ihrem Anfang gefunden.',
    user: 'Konto',
    state: 'Zustand',
    since: 'Seit',
    suspended: 'Gesperrt',
    admin: 'Plattform-Admin',
    active: 'Aktiv',
    lastAdmin: 'Sonst könnte niemand mehr die Plattform verwalten.',
    actsOf: 'Aktionen für {name}',
    acts: {
      look: 'Einzelheiten',
      link: 'Einmal-Link erstellen',
      signOut: 'Überall abmelden',
      makeAdmin: 'Zum Plattform-Admin machen',
      endAdmin: 'Nicht mehr Plattform-Admin',
      suspend: 'Sperren',
      lift: 'Sperre aufheben',
    },
    confirm: {
      signOut: {
        title: '{name} überall abmelden?',
        text: 'Alle Browser und Apps dieses Kontos müssen sich neu anmelden.',
      },
      makeAdmin: {
        title: '{name} zum Plattform-Admin machen?',
        text: 'Damit geht auf diesen Seiten alles, was du kannst.',
      },
      endAdmin: {
        title: '{name} diese Seiten entziehen?',
        text: 'Das Konto ist dann kein Plattform-Admin mehr. Der letzte bleibt immer.',
      },
      suspend: {
        title: '{name} sperren?',
        text: 'Sitzungen, Schlüssel und Agenten gelten innerhalb einer Sekunde nicht mehr. Nichts wird entfernt, und alles gilt wieder, sobald du die Sperre aufhebst.',
      },
      lift: {
        title: '{name} wieder hereinlassen?',
        text: 'Sitzungen, Schlüssel und Agenten gelten wieder, wenn sie nicht abgelaufen sind.',
      },
    },
    done: 'Erledigt.',
    reached: {
      suspend:
        '{agents, plural, =0 {{name} ist gesperrt.} one {{name} ist gesperrt, mit # Agenten.} other {{name} ist gesperrt, mit # Agenten.}}',
      lift: '{agents, plural, =0 {{name} kann wieder herein.} one {{name} kann wieder herein, mit # Agenten.} other {{name} kann wieder herein, mit # Agenten.}}',
    },
    facts: {
      username: 'Benutzername',
      id: 'ID',
      since: 'Hier seit',
      account: 'Konto',
      yes: 'Meldet sich an',
      noAccount: 'Noch keines: Es wartet auf die erste Anmeldung',
      email: 'E-Mail-Adresse',
      none: 'Keine',
      secondFactor: 'Zweiter Faktor',
      on: 'An',
      off: 'Aus',
      sessions: 'Sitzungen',
      lastUsed: 'Zuletzt benutzt',
      never: 'Nie',
      servers: 'Server',
      suspended: 'Gesperrt seit',
    },
  },
  link: {
    lead: 'Mit einem Link kann {name} ein Passwort wählen. Gib ihn selbst weiter, und niemandem sonst.',
    purpose: 'Wofür',
    purposes: {
      password: {
        label: 'Ein neues Passwort',
        hint: 'Beendet alle Sitzungen. Nach einem zweiten Faktor wird weiter gefragt. Gilt einen Tag.',
      },
      claim: {
        label: 'Ein erstes Passwort',
        hint: 'Für ein Konto, das noch niemand in Besitz genommen hat. Gilt sieben Tage.',
      },
      recovery: {
        label: 'Auch der zweite Faktor ist verloren',
        hint: 'Nimmt auch den zweiten Faktor, Passkeys, Konten bei Anbietern und die E-Mail-Adresse weg. Vergewissere dich, dass es die richtige Person ist. Gilt einen Tag.',
      },
    },
    make: 'Link erstellen',
    made: 'Der Link',
    once: 'Er wird nur dieses eine Mal gezeigt und gilt einmal, bis {until}. Wer ihn hat, bekommt das Konto von {name}.',
    kept: 'Ich habe ihn',
  },
  servers: {
    lead: 'Jeder Server mit seiner Größe. Von denen, auf denen du kein Mitglied bist, siehst du den Inhalt nicht.',
    search: 'Nach Name suchen',
    searchHint: 'Der Anfang davon',
    none: 'So einen Server gibt es nicht',
    server: 'Server',
    members: 'Mitglieder',
    files: 'Dateien',
    since: 'Seit',
    private: 'Privat',
    delete: 'Server löschen',
    deleteOf: '{name} löschen',
    deleteMore:
      '{members, plural, one {Er ist sofort nicht mehr erreichbar, für sein # Mitglied, mit allen Nachrichten und Dateien. Es gibt keinen Weg zurück.} other {Er ist sofort nicht mehr erreichbar, für seine # Mitglieder, mit allen Nachrichten und Dateien. Es gibt keinen Weg zurück.}}',
    deleted: '{name} ist gelöscht.',
  },
  apps: {
    lead: 'Apps, die Server installieren können. Prüfe die, von denen du weißt, wer sie gemacht hat.',
    kind: 'Welche Apps',
    kinds: {
      waiting: 'Wartend',
      verified: 'Geprüft',
    },
    none: {
      waiting: 'Keine App wartet',
      verified: 'Keine App ist geprüft',
    },
    noneMore: 'Apps erscheinen hier, sobald ein Server sie ins Verzeichnis aufnimmt.',
    publisher: 'Von',
    version: 'Version',
    installs: 'Installationen',
    isVerified: 'Geprüft',
    verify: 'Als geprüft markieren',
    unverify: 'Zurücknehmen',
    verifyNamed: '{name} als geprüft markieren',
    unverifyNamed: '{name} nicht mehr als geprüft führen',
    verified: '{name} ist geprüft.',
    unverified: '{name} ist nicht mehr geprüft.',
  },
  audit: {
    lead: 'Was Admins und die Befehle des Betriebs geändert haben, das Neueste zuerst. Bleibt 400 Tage.',
    filter: 'Filter',
    filterHint: 'Eine Handlung, eine Person, eine ID',
    onlyLoaded:
      '{count, plural, one {Durchgesehen wird nur der # Eintrag, der geladen ist.} other {Durchgesehen werden nur die # Einträge, die geladen sind.}}',
    none: 'Noch wurde nichts geändert',
    noMatch: 'Kein Eintrag hat alle diese Wörter',
    act: 'Handlung',
    by: 'Von',
    about: 'Worum es geht',
    at: 'Wann',
    person: '{name} (@{username})',
    operator: 'Befehl, von {account}',
    somebody: 'Kein Admin: {id}',
  },
  health: {
    lead: 'Stand {at}. Solange du hier bist, wird alle zehn Sekunden neu nachgesehen.',
    again: 'Jetzt nachsehen',
    figures: 'Zahlen',
    doctor:
      'Auf seinem Rechner prüft dieser Befehl mehr: Einstellungen, Ordner, Versionen, Mailserver und Anbieter.',
    waitingMore:
      'Arbeit, die nach und nach getan wird. Die Linien zeigen die letzten zehn Minuten, seit du diese Seite geöffnet hast.',
    summary:
      '{wrong, plural, =0 {Alles in Ordnung} one {# Sache braucht deine Aufmerksamkeit} other {# Sachen brauchen deine Aufmerksamkeit}}',
    good: {
      data: 'Die Datenbank liest und schreibt.',
      valkey: 'Valkey antwortet.',
      clock: 'Die Uhren dieses Nodes und der Datenbank gehen gleich.',
      upkeep: 'Abgelaufenes wird entfernt.',
      space: 'Für Dateien ist Platz: {size}.',
      waiting: 'Gelöschtes wird rechtzeitig entfernt.',
      mails: 'Mails werden verschickt.',
      webhooks: 'Alle Webhooks werden zugestellt.',
    },
    wrong: {
      data: 'Die Datenbank antwortet nicht, wie sie soll: {problem}',
      valkey: 'Valkey antwortet nicht: Jeder Node zählt die Limits für sich, und Neues kommt später.',
      clock: 'Die Uhren dieses Nodes und der Datenbank weichen um {span} ab. Stelle sie mit NTP.',
      upkeep: 'Im Moment räumt kein Node auf. Bleibt das minutenlang so, sieh in die Logs der Nodes.',
      space: 'Die Festplatte mit den Dateien ist fast voll: {size} sind frei.',
      waiting:
        'Viel Gelöschtes wartet darauf, entfernt zu werden: {count}. Nach einer großen Löschung vergeht das von selbst.',
      mails: '{count} Mails warten darauf, verschickt zu werden. Sieh nach, ob der Mailserver sie annimmt.',
      webhooks:
        '{count, plural, one {# Webhook scheitert und wird wiederholt. Sein Empfänger antwortet nicht.} other {# Webhooks scheitern und werden wiederholt. Ihre Empfänger antworten nicht.}}',
      disabled:
        '{count, plural, one {# Webhook wurde abgeschaltet, weil er zu lange gescheitert ist. Sein Server kann ihn wieder einschalten.} other {# Webhooks wurden abgeschaltet, weil sie zu lange gescheitert sind. Ihre Server können sie wieder einschalten.}}',
    },
    chart: '{what}: jetzt {count}',
    waits: {
      sweeps: 'Gelöschtes',
      closings: 'Geschlossene Konten',
      fileRemovals: 'Gelöschte Dateien',
      failingWebhooks: 'Scheiternde Webhooks',
    },
    tiles: {
      version: 'Version',
      schema: 'Tabellen der Version {schema}',
      uptime: 'Läuft seit',
      ofNode: 'der Node, der geantwortet hat',
      nodes: 'Nodes',
      engine: {
        sqlite: 'auf SQLite',
        postgres: 'auf PostgreSQL',
      },
      space: 'Freier Platz',
      files: {
        folder: 'auf der Festplatte mit den Dateien',
        bucket: 'Dateien liegen in einem Bucket',
      },
    },
  },
});

export const platformHealth: typeof english.platformHealth = texts({
  title: 'Last',
  lead: 'Die des Nodes, der geantwortet hat: Zahlen aus seinem /metrics, seit dem vorigen Nachsehen.',
  guide: 'Alle Zahlen, für Prometheus',
  chart: '{what}: jetzt {value}',
  loads: {
    requests: 'Anfragen je Sekunde',
    duration: 'Zeit für eine Anfrage',
    limited: 'Gedrosselt, je Sekunde',
    failed: 'Gescheitert, je Sekunde',
    writes: 'Schreibvorgänge je Sekunde',
    streams: 'Offene Streams',
    cpu: 'Prozessor',
    memory: 'Speicher',
  },
});

export const platformSettings: typeof english.platformSettings = texts({
  lead: 'Eine Änderung hier gilt auf jedem Node innerhalb einer Sekunde, vor den Einstellungen, mit denen der Server gestartet wurde.',
  changed: 'Geändert.',
  sources: {
    platform: 'Hier gesetzt',
    flag: 'Von der Befehlszeile',
    environment: 'Aus der Umgebung',
    file: 'Aus der Konfigurationsdatei',
    default: 'Wie ausgeliefert',
  },
  otherwise: 'Ohne die Änderung hier: {value}. {source}.',
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
      unit: '{value, plural, one {# Megabyte} other {# Megabyte}}',
    },
    eventDays: {
      title: 'Ereignisse bleiben',
      about:
        'So weit zurück können Clients und Webhooks nachholen. Weniger Tage entfernen ältere Ereignisse innerhalb von Minuten, endgültig.',
      after: 'Tage',
      unit: '{value, plural, one {# Tag} other {# Tage}}',
    },
  },
  between: 'Eine ganze Zahl von {min} bis {max}.',
  others: 'Alle anderen Einstellungen',
  othersMore:
    'Sie werden beim Start gelesen: von der Befehlszeile, aus der Umgebung oder aus der Konfigurationsdatei. Diese sind die des Nodes, der geantwortet hat; Passwörter und Schlüssel sind ausgelassen.',
  setting: 'Einstellung',
  value: 'Wert',
  source: 'Woher er kommt',
  empty: 'Leer',
  guide: 'Jede Einstellung, in der Dokumentation',
});
