import type { dangerSettings as english } from '../en/dangerSettings.ts';

export const dangerSettings: typeof english = {
  title: 'Gefahrenzone',
  lead: 'Was du hier tust, lässt sich nicht rückgängig machen.',
  creatorOnly: 'Das darf nur, wem der Server gehört.',
  handOver: {
    title: 'Server übergeben',
    lead: 'Der Server gehört dann einem anderen Mitglied, das alles darf. Deine Rollen behältst du.',
    action: 'Übergeben',
    choose: 'Wer soll den Server bekommen?',
    ask: (server, name) => `„${server}“ an ${name} übergeben?`,
    text: (name) => `Der Server gehört dann ${name}. Du kannst ihn dir nicht zurückholen.`,
    done: (name) => `Der Server gehört jetzt ${name}.`,
  },
  leave: {
    title: 'Server verlassen',
    lead: 'Deine Nachrichten bleiben. Deine API-Schlüssel für diesen Server und die Webhooks und Agenten, die du erstellt hast, enden sofort.',
    creator: 'Der Server gehört dir: Übergib ihn zuerst, oder lösche ihn.',
    action: 'Verlassen',
    ask: (name) => `„${name}“ verlassen?`,
    text: 'Deine Schlüssel, Webhooks und Agenten hier enden sofort. Um zurückzukommen, brauchst du vielleicht eine Einladung.',
    done: (name) => `Du hast „${name}“ verlassen.`,
  },
  delete: {
    title: 'Server löschen',
    lead: 'Löscht alle Kanäle, Nachrichten, Dateien, Rollen, Schlüssel und Webhooks, für alle und endgültig.',
    creatorOnly: 'Löschen darf den Server nur, wem er gehört.',
    action: 'Server löschen',
    ask: (name) => `„${name}“ endgültig löschen?`,
    text: 'Alle Kanäle, Nachrichten, Dateien, Schlüssel und Webhooks sind dann für alle weg. Niemand kann sie zurückholen.',
    done: (name) => `„${name}“ ist gelöscht.`,
  },
};
