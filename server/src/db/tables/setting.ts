import type { Table } from './facts.ts';

interface SettingRow {
  name: string;
  value: string;
}

export const setting: Table<SettingRow> = {
  key: ['name'],
  // The others are about the place that the data are in.
  copied: `name not in ('secretKey', 'probe', 'epoch', 'place')`,
};
