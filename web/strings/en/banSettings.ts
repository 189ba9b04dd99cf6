/** The settings of a server: its bans. */
export const banSettings = {
  title: 'Bans',
  find: 'Find somebody who is banned',
  lead: 'People who cannot join, with or without an invite. Members are banned on their page.',
  closed: 'The bans are closed to you.',
  none: 'Nobody is banned',
  noneMore: 'Ban somebody in the list of members.',
  since: (when: string) => `since ${when}`,
  by: 'by',
  lift: 'Lift the ban',
  liftFor: (name: string) => `Lift the ban of ${name}`,
  ask: (name: string) => `Lift the ban of ${name}?`,
  askMore: 'They can join again, with an invite if the server is private.',
  lifted: (name: string) => `${name} may join again.`,
};
