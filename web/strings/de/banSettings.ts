import type { banSettings as english } from '../en/banSettings.ts';

export const banSettings: typeof english = {
  title: 'Banns',
  find: 'Gebannte finden',
  lead: 'Personen, die nicht beitreten können, auch nicht mit einer Einladung. Mitglieder bannst du auf ihrer Seite.',
  closed: 'Die Banns kannst du nicht sehen.',
  none: 'Niemand ist gebannt',
  noneMore: 'Banne jemanden in der Liste der Mitglieder.',
  since: (when) => `seit ${when}`,
  by: 'von',
  lift: 'Bann aufheben',
  liftFor: (name) => `Bann von ${name} aufheben`,
  ask: (name) => `Den Bann von ${name} aufheben?`,
  askMore: 'Ein neuer Beitritt ist dann möglich; bei einem privaten Server mit einer Einladung.',
  lifted: (name) => `${name} kann wieder beitreten.`,
};
