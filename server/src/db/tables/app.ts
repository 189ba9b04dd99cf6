import { ofServer, type Row, type Table } from './facts.ts';

interface AppRow extends Row {
  serverId: string;
  threadId: string | null;
  type: string | null;
  meta: unknown;
  installCount: number | null;
  description: string | null;
  name: string | null;
  version: string | null;
  image: string | null;
  category: string | null;
  publisherName: string | null;
  npmPackage: string | null;
  verified: boolean | null;
  /** When the app was submitted to the registry; null while it is private to its server. */
  submittedAt: number | null;
}

export const app: Table<AppRow> = {
  key: ['id'],
  json: ['meta'],
  goesWith: ofServer,
  outlives: { threadId: 'an app exists independently of the thread that discusses it' },
};
