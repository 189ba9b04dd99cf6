import type * as english from '../en/platform.ts';
import { texts } from '../texts.ts';

export const platform: typeof english.platform = texts({
  title: 'Administration',
  closed: 'Diese Seiten sind für Plattform-Admins',
  closedMore: 'Die Betreiber dieses Servers können dich dazu machen.',
  actions: 'Aktionen',
  sections: {
    health: 'Zustand',
    users: 'Konten',
    servers: 'Server',
    apps: 'Apps',
    imports: 'Importe',
    holds: 'Rechtliche Aufbewahrung',
    settings: 'Einstellungen',
    audit: 'Audit-Log',
  },
  users: {
    lead: 'Alle Konten, die neuesten zuerst. Du siehst die Konten, aber nicht ihre Nachrichten, außer gelöschten unter rechtlicher Aufbewahrung.',
    search: 'Nach Benutzername oder Name suchen',
    searchHint: 'Name beginnt mit …',
    among: 'Konten filtern',
    amongs: {
      all: 'Alle',
      admins: 'Admins',
      suspended: 'Gesperrt',
    },
    none: 'Keine Konten gefunden',
    noneMore: 'Suche nach dem Anfang eines Namens.',
    user: 'Konto',
    state: 'Status',
    since: 'Dabei seit',
    suspended: 'Gesperrt',
    admin: 'Plattform-Admin',
    active: 'Aktiv',
    lastAdmin: 'Die Plattform braucht mindestens einen Admin.',
    actsOf: 'Aktionen für {name}',
    acts: {
      look: 'Details',
      link: 'Einmal-Link erstellen',
      signOut: 'Überall abmelden',
      makeAdmin: 'Zum Plattform-Admin machen',
      endAdmin: 'Als Plattform-Admin entfernen',
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
        text: 'Das Konto kann dann auf diesen Seiten alles, was du kannst.',
      },
      endAdmin: {
        title: '{name} als Plattform-Admin entfernen?',
        text: 'Das Konto verliert den Zugriff auf diese Seiten. Der letzte Plattform-Admin kann nicht entfernt werden.',
      },
      suspend: {
        title: '{name} sperren?',
        text: 'Sitzungen, API-Schlüssel und Agenten funktionieren sofort nicht mehr. Nichts wird gelöscht, und alles funktioniert wieder, sobald du die Sperre aufhebst.',
      },
      lift: {
        title: 'Sperre von {name} aufheben?',
        text: 'Sitzungen, API-Schlüssel und Agenten funktionieren wieder, wenn sie nicht abgelaufen sind.',
      },
    },
    done: 'Erledigt.',
    reached: {
      suspend:
        '{agents, plural, =0 {{name} wurde gesperrt.} one {{name} und # Agent wurden gesperrt.} other {{name} und # Agenten wurden gesperrt.}}',
      lift: '{agents, plural, =0 {{name} ist nicht mehr gesperrt.} one {{name} und # Agent sind nicht mehr gesperrt.} other {{name} und # Agenten sind nicht mehr gesperrt.}}',
    },
    facts: {
      username: 'Benutzername',
      id: 'ID',
      since: 'Dabei seit',
      account: 'Konto',
      yes: 'Kann sich anmelden',
      noAccount: 'Noch nicht übernommen',
      email: 'E-Mail-Adresse',
      none: 'Keine',
      secondFactor: 'Zwei-Faktor-Anmeldung',
      on: 'An',
      off: 'Aus',
      sessions: 'Sitzungen',
      grants: 'Apps mit begrenztem Zugriff',
      lastUsed: 'Zuletzt verwendet',
      never: 'Nie',
      servers: 'Server',
      suspended: 'Gesperrt seit',
    },
  },
  link: {
    lead: 'Erstelle einen Link, mit dem {name} ein Passwort setzen kann. Gib ihn persönlich weiter, und an niemanden sonst.',
    purpose: 'Zweck',
    purposes: {
      password: {
        label: 'Passwort zurücksetzen',
        hint: 'Meldet alle Sitzungen ab. Die Zwei-Faktor-Anmeldung bleibt. Gilt einen Tag.',
      },
      claim: {
        label: 'Erstes Passwort setzen',
        hint: 'Für ein Konto, das noch niemand übernommen hat. Gilt sieben Tage.',
      },
      recovery: {
        label: 'Konto wiederherstellen',
        hint: 'Entfernt auch Zwei-Faktor-Anmeldung, Passkeys, verbundene Konten und die E-Mail-Adresse. Vergewissere dich, dass es die richtige Person ist. Gilt einen Tag.',
      },
    },
    make: 'Link erstellen',
    made: 'Einmal-Link',
    once: 'Kopiere ihn jetzt. Er wird nicht wieder angezeigt. Er funktioniert einmal, bis {until}. Wer diesen Link hat, bekommt Zugriff auf das Konto von {name}.',
    kept: 'Fertig',
  },
  servers: {
    lead: 'Alle Server mit ihrer Größe. Du siehst nur den Inhalt von Servern, auf denen du Mitglied bist, und gelöschte Nachrichten unter rechtlicher Aufbewahrung.',
    search: 'Nach Name suchen',
    searchHint: 'Name beginnt mit …',
    none: 'Keine Server gefunden',
    server: 'Server',
    members: 'Mitglieder',
    files: 'Dateien',
    since: 'Erstellt',
    delete: 'Server löschen',
    deleteMore:
      '{members, plural, one {Sein # Mitglied verliert sofort den Zugriff, und alle Nachrichten und Dateien werden gelöscht. Das lässt sich nicht rückgängig machen.} other {Seine # Mitglieder verlieren sofort den Zugriff, und alle Nachrichten und Dateien werden gelöscht. Das lässt sich nicht rückgängig machen.}}',
    deleted: 'Server {name} gelöscht.',
  },
  apps: {
    lead: 'Apps, die Server installieren können. Markiere nur Apps als geprüft, deren Herausgeber du kennst.',
    kind: 'Apps filtern',
    kinds: {
      waiting: 'Ungeprüft',
      verified: 'Geprüft',
    },
    none: {
      waiting: 'Keine Apps zu prüfen',
      verified: 'Keine geprüften Apps',
    },
    noneMore: 'Apps erscheinen hier, wenn ein Server sie im Verzeichnis einreicht.',
    publisher: 'Herausgeber',
    version: 'Version',
    installs: 'Installationen',
    isVerified: 'Geprüft',
    verify: 'Als geprüft markieren',
    unverify: 'Prüfung aufheben',
    verifyNamed: '{name} als geprüft markieren',
    unverifyNamed: 'Prüfung von {name} aufheben',
    verified: '{name} ist geprüft.',
    unverified: '{name} ist nicht mehr geprüft.',
  },
  audit: {
    lead: 'Aktionen von Plattform-Admins, Befehle des Betreibers, Entscheidungen über Freigaben, Anmeldungen und Änderungen an Konten, die neuesten zuerst. Einträge werden 400 Tage aufbewahrt.',
    filter: 'Filter',
    filterHint: 'Aktion, Person oder ID',
    onlyLoaded:
      '{count, plural, one {Filtert nur den # bisher geladenen Eintrag.} other {Filtert nur die # bisher geladenen Einträge.}}',
    none: 'Noch keine Einträge',
    noMatch: 'Keine passenden Einträge',
    act: 'Aktion',
    by: 'Von',
    about: 'Ziel',
    person: '{name} (@{username})',
    operator: 'Befehl ({account})',
    unknown: 'Unbekannt',
    somebody: 'Konto {id}',
  },
  health: {
    lead: 'Stand {at}. Wird alle zehn Sekunden aktualisiert.',
    figures: 'Überblick',
    doctor:
      'Auf dem Rechner des Servers ausgeführt, prüft dieser Befehl auch Einstellungen, Ordner, Versionen, Mailserver und Anmeldeanbieter.',
    waiting: 'Hintergrundjobs',
    waitingMore:
      'Jobs in der Warteschlange. Die Diagramme zeigen bis zu zehn Minuten, seit du diese Seite geöffnet hast.',
    summary:
      '{wrong, plural, =0 {Alles in Ordnung} one {# Problem braucht Aufmerksamkeit} other {# Probleme brauchen Aufmerksamkeit}}',
    good: {
      data: 'Die Datenbank ist erreichbar.',
      valkey: 'Valkey ist erreichbar.',
      clock: 'Die Uhren von Node und Datenbank sind synchron.',
      upkeep: 'Abgelaufene Daten werden bereinigt.',
      space: 'Genug Speicherplatz für Dateien: {size} frei.',
      waiting: 'Gelöschte Daten werden rechtzeitig entfernt.',
      mails: 'E-Mails werden verschickt.',
      webhooks: 'Webhooks werden zugestellt.',
    },
    wrong: {
      data: 'Die Datenbank funktioniert nicht richtig: {problem}',
      valkey:
        'Valkey ist nicht erreichbar. Jeder Node wendet Rate-Limits für sich an, und Änderungen kommen verspätet an.',
      clock: 'Die Uhren von Node und Datenbank weichen um {span} voneinander ab. Synchronisiere sie mit NTP.',
      upkeep:
        'Kein Node bereinigt abgelaufene Daten. Dauert das länger als ein paar Minuten, prüfe die Logs der Nodes.',
      space: 'Die Festplatte für Dateien ist fast voll: {size} frei.',
      waiting:
        '{count} gelöschte Einträge müssen noch entfernt werden. Nach einer großen Löschung erledigt sich das von selbst.',
      failing:
        '{count, plural, one {# Hintergrundjob schlägt fehl und wird wiederholt.} other {# Hintergrundjobs schlagen fehl und werden wiederholt.}} Die Ursache steht im Log des Servers.',
      mails: '{count} E-Mails sind in der Warteschlange. Prüfe, ob der Mailserver sie annimmt.',
      webhooks:
        '{count, plural, one {# Webhook schlägt fehl und wird wiederholt. Sein Empfänger antwortet nicht.} other {# Webhooks schlagen fehl und werden wiederholt. Ihre Empfänger antworten nicht.}}',
      disabled:
        '{count, plural, one {# Webhook wurde abgeschaltet, weil er immer wieder fehlschlug. Admins seines Servers können ihn wieder einschalten.} other {# Webhooks wurden abgeschaltet, weil sie immer wieder fehlschlugen. Admins ihrer Server können sie wieder einschalten.}}',
    },
    chart: '{what}: jetzt {count}',
    waits: {
      sweeps: 'Löschungen',
      closings: 'Geschlossene Konten',
      fileRemovals: 'Dateilöschungen',
      failingWebhooks: 'Fehlschlagende Webhooks',
    },
    tiles: {
      version: 'Version',
      schema: 'Schemaversion {schema}',
      uptime: 'Laufzeit',
      ofNode: 'dieser Node',
      nodes: 'Nodes',
      engine: {
        sqlite: 'auf SQLite',
        postgres: 'auf PostgreSQL',
      },
      space: 'Freier Speicherplatz',
      files: {
        folder: 'auf der Festplatte für Dateien',
        bucket: 'Dateien liegen in einem Bucket',
      },
    },
  },
});

export const platformHealth: typeof english.platformHealth = texts({
  title: 'Last',
  lead: 'Metriken dieses Nodes seit der letzten Aktualisierung.',
  guide: 'Alle Metriken, für Prometheus',
  chart: '{what}: jetzt {value}',
  loads: {
    requests: 'Anfragen pro Sekunde',
    duration: 'Zeit pro Anfrage',
    limited: 'Gedrosselt pro Sekunde',
    failed: 'Fehlgeschlagen pro Sekunde',
    writes: 'Schreibvorgänge pro Sekunde',
    streams: 'Offene Streams',
    cpu: 'CPU',
    memory: 'Speicher',
  },
});
