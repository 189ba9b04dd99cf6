import type { Row, Table } from './facts.ts';

/** The id of the single row, which the first change inserts. */
export const PLATFORM_ID = '00000000-0000-7000-8000-000000000001';

/**
 * A singleton with the settings that were changed at runtime. Writes that must be serialized across all
 * servers lock its row.
 */
interface PlatformRow extends Row {
  /** Settings by name. Contains only changed settings. */
  settings: Readonly<Record<string, unknown>>;
}

export const platform: Table<PlatformRow> = {
  key: ['id'],
  json: ['settings'],
  // Nodes cache the settings like permissions: a change takes effect on all nodes within a second.
  decidesAuthority: { of: 'id', by: ['settings'] },
  isPermanent: true,
};
