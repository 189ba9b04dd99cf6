/** The texts of how much one is told of: of a server, or a channel. */
export const level = {
  mute: 'Mute',
  muted: 'Muted',
  muteFor: { hour: 'For an hour', morning: 'For 8 hours', day: 'For a day', always: 'Until I turn it on' },
  unmute: 'Turn sound on again',
  level: 'Notify me of',
  levels: { all: 'All messages', mentions: 'Mentions only', nothing: 'Nothing' },
  asServer: 'As in the server',
};
