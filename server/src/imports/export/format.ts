/**
 * The JSON Lines files in an export of a server or a channel. Uploaded files are in `files/`, and pages in
 * `html/`.
 */
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
/** The files of a person's export. The account has the format of `GET /api/people/export`. */
export const personLineFiles = [...lineFiles, 'servers', 'versions', 'account'] as const;
export type LineFile = (typeof personLineFiles)[number];

export const pathOfLines = (name: LineFile): string => `${name}.jsonl`;
export const MANIFEST = 'manifest.json';
/** The SHA-256 of the manifest, in the format of `sha256sum`. */
export const MANIFEST_SUM = 'manifest.sha256';

/** The manifest of an export. */
export interface Manifest {
  format: 'palaver-export';
  version: 1;
  /** Set for the export of a person. Such an export cannot be imported. */
  scope?: 'person';
  /** When the export was completed, in ISO 8601. */
  date: string;
  counts: Record<string, number>;
  files: { path: string; bytes: number; sha256: string }[];
}

/** The scope of an export: a server, or one of its channels. */
export interface Scope {
  serverId: string;
  /** The only channel to export. If omitted, the whole server is exported. */
  channelId?: string | undefined;
}
