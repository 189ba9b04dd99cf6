/** The texts about how one is shown to others. */
export const presence = {
  statuses: { online: 'Online', idle: 'Away', dnd: 'Do not disturb', invisible: 'Invisible' },
  short: { online: 'Online', idle: 'Away', dnd: 'Busy', invisible: 'Invisible' },
  setText: 'Set a status…',
  changeText: (text: string) => `Status: ${text}`,
  title: 'Your status',
  text: 'Status',
  textPrompt: 'In a meeting, on holiday, …',
  until: 'Goes away',
  ends: {
    never: 'When I remove it',
    halfHour: 'In 30 minutes',
    hour: 'In an hour',
    fourHours: 'In 4 hours',
    today: 'At the end of the day',
    week: 'At the end of the week',
  },
  shownAs: 'Others see you as',
};
