import type { Table } from './facts.ts';

interface SettingRow {
  name: string;
  value: string;
}

export const setting: Table<SettingRow> = {
  key: ['name'],
  // The settings named here belong to one location of the data. A copy gets its own values.
  copied: `name not in ('secretKey', 'probe', 'epoch', 'place')`,
};
