import type { server as english } from '../en/server.ts';
import { plural } from '../format.ts';

const members = (count: number): string => plural(count, { one: '# Mitglied', other: '# Mitglieder' });

export const server: typeof english = {
  create: 'Server erstellen',
  createMore:
    'Ein Server ist ein Ort für eine Gruppe, mit eigenen Kanälen, Rollen und Apps. Du entscheidest, wer kommt.',
  name: 'Name des Servers',
  make: 'Erstellen',
  firstChannel: 'allgemein',
  menuWith: (name, count) => `${name}, ${members(count)}: Menü des Servers`,
  members,
};
