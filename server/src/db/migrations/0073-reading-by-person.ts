/** Indexes read markers by person, so that reading those of one person does not look into every channel. */
export default (): string[] => [
  'create index channel_reading_user on "channelReading" ("userId", "channelId")',
];

export const isBackwardCompatible = true;
