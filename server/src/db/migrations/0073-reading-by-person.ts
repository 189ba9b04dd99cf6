/**
 * Indexes read markers by person, so that a person's markers are found without scanning those of every
 * channel.
 */
export default (): string[] => [
  'create index channel_reading_user on "channelReading" ("userId", "channelId")',
];

export const isBackwardCompatible = true;
