import { join, resolve } from 'node:path';
import { FolderStore } from './folder.ts';
import { Incoming } from './incoming.ts';
import type { FileStore } from './store.ts';

/** The settings of files. */
export interface FilesConfig {
  /** The data folder. */
  data: string;
  /** A folder, or the URL of a bucket; empty for the folder `files` in the data folder. */
  files?: string;
  /** Of a bucket: the id of an access key, a colon, and its secret. */
  filesKey?: string;
  /** Of a bucket. */
  filesRegion?: string;
}

/** Figures of files since the start of the process. */
export class FileFigures {
  /** Uploads by their end: refused by a rule, a bound or their content; or failed, by the store or the database. */
  readonly uploads = { stored: 0, refused: 0, failed: 0 };
  /** The time that all of them took, in seconds. */
  seconds = 0;
  /** The bytes of files that came whole. */
  bytes = 0;
  /** Files that upkeep has removed. */
  removed = 0;
}

/** The place of all files. Opens and makes nothing before it is used. */
export class Files {
  readonly incoming: Incoming;
  readonly figures = new FileFigures();
  readonly #config: FilesConfig;
  #store: Promise<FileStore> | undefined;

  constructor(config: FilesConfig) {
    this.#config = config;
    const folder = folderOf(config);
    this.incoming = new Incoming(join(folder ?? join(config.data, 'files'), 'incoming'));
  }

  /** The folder of the files; undefined if they are in a bucket. */
  get folder(): string | undefined {
    return folderOf(this.#config);
  }

  get store(): Promise<FileStore> {
    this.#store ??= this.#open();
    return this.#store;
  }

  async #open(): Promise<FileStore> {
    const { folder } = this;
    if (folder !== undefined) return new FolderStore(folder);
    const { files = '', filesKey = '', filesRegion = '' } = this.#config;
    const [accessKeyId = '', ...secret] = filesKey.split(':');
    const { S3Store } = await import('./s3.ts');
    return new S3Store({
      url: files.replace(/\/+$/, ''),
      region: filesRegion,
      accessKeyId,
      secretAccessKey: secret.join(':'),
    });
  }
}

/** The folder of the files of these settings; undefined if they are in a bucket. */
export function folderOf({ data, files = '' }: FilesConfig): string | undefined {
  if (/^https?:/i.test(files)) return undefined;
  return files === '' ? join(data, 'files') : resolve(files);
}
