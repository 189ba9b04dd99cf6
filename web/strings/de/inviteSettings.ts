import type { inviteSettings as english } from '../en/inviteSettings.ts';
import { number, plural } from '../format.ts';

export const inviteSettings: typeof english = {
  title: 'Einladungen',
  find: 'Einladung nach Link oder Person finden',
  lead: 'Links, mit denen Leute diesem Server beitreten.',
  closed: 'Du kannst das ansehen, aber keine erstellen.',
  othersClosed: 'Von den Einladungen kannst du deine eigenen widerrufen.',
  create: 'Neue Einladung',
  none: 'Noch keine Einladungen',
  noneMore: 'Erstelle eine, und schicke ihren Link den Leuten, die kommen sollen.',
  uses: (uses) => plural(uses, { zero: 'noch nicht benutzt', one: 'einmal benutzt', other: '#-mal benutzt' }),
  usesOf: (uses, most) => `${number(uses)} von ${number(most)} Mal benutzt`,
  forever: 'endet nie',
  ends: (when) => `endet ${when}`,
  ended: (when) => `endete ${when}`,
  over: 'Vorbei',
  by: 'von',
  copy: 'Link kopieren',
  show: 'Link und Code zeigen',
  revoke: 'Widerrufen',
  ask: 'Diese Einladung widerrufen?',
  askMore: 'Ihr Link lässt niemanden mehr herein. Wer damit beigetreten ist, bleibt.',
  revoked: 'Die Einladung ist widerrufen.',
};
