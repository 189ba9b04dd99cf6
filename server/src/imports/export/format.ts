/** The files of an export, besides those of messages in `files/` and the pages in `html/`. */
export const lineFiles = [
  'people',
  'emoji',
  'channels',
  'conversations',
  'threads',
  'messages',
  'replies',
  'reactions',
  'pins',
  'files',
] as const;
export type LineFile = (typeof lineFiles)[number];

export const pathOfLines = (name: LineFile): string => `${name}.jsonl`;
export const MANIFEST = 'manifest.json';
/** The SHA-256 of the manifest, in the format of `sha256sum`. */
export const MANIFEST_SUM = 'manifest.sha256';

/** The manifest of an export. */
export interface Manifest {
  format: 'palaver-export';
  version: 1;
  /** When it was completed, in ISO 8601. */
  date: string;
  counts: Record<string, number>;
  files: { path: string; bytes: number; sha256: string }[];
}

/** The scope of an export: a server, one of its channels, or the data of a member. */
export interface Scope {
  serverId: string;
  /** Only this channel. */
  channelId?: string | undefined;
  /** Only what this member wrote, and their direct messages. */
  userId?: string | undefined;
}
