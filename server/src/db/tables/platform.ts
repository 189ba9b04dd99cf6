import type { Row, Table } from './facts.ts';

/** The id of the one row, which the first change makes. */
export const PLATFORM_ID = '00000000-0000-7000-8000-000000000001';

/** What there is once: the settings that were changed at runtime. Writes that have to be serial over all servers lock its row. */
interface PlatformRow extends Row {
  /** By name. A setting that was not changed is not among them. */
  settings: Readonly<Record<string, unknown>>;
}

export const platform: Table<PlatformRow> = {
  key: ['id'],
  json: ['settings'],
  // Nodes remember the settings as they remember permissions: a change counts on all of them within a second.
  decidesAuthority: { of: 'id', by: ['settings'] },
  isPermanent: true,
};
