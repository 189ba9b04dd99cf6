/**
 * Adds an index for erasures and exports, which would otherwise read the markers of all members of all
 * servers.
 */
export default (): string[] => [
  'create index server_reading_person on "serverReading" ("userId", "serverId")',
];

export const isBackwardCompatible = true;
