/**
 * Uploaded files live outside the database, in a folder or an S3 bucket, so an upload is two commits that a
 * crash can separate. The table `fileRemoval` handles that case (docs/decisions/0054):
 *
 * 1. The bytes are streamed into `incoming/`, hashed, and inspected by content (`media/inspect.ts`), never by
 *    the client's name or type. Metadata is removed from images and MP4 files.
 * 2. The file's id is added to `fileRemoval`, with a due time a day ahead. Then the file is put into the
 *    store, and is durable once `put` resolves.
 * 3. The transaction that inserts the attachment removes the id from the list, and fails if the id is not on
 *    the list.
 * 4. A trigger puts the file back on the list whenever its row is deleted. Upkeep deletes the file first,
 *    then the entry. Invariants: an acknowledged file is in the store before its row is committed, and a file
 *    without a row is always on the list, so nothing has to scan the store. A failed upload only marks its
 *    entry as due, because its row may have been committed despite the error. In that case, the entry is
 *    already gone and the file stays.
 */

import { join, resolve } from 'node:path';
import { FolderStore } from './folder.ts';
import { Incoming } from './incoming.ts';
import type { FileStore } from './store.ts';

/** The settings for files. */
export interface FilesConfig {
  /** The data folder. */
  data: string;
  /** A folder, or the URL of a bucket. If empty, the folder `files` in the data folder. */
  files?: string;
  /** For a bucket, the access key id, a colon, and the secret. */
  filesKey?: string;
  /** The region of a bucket. */
  filesRegion?: string;
}

/** File metrics since the process started. */
export class FileFigures {
  /**
   * Uploads by outcome. They are `refused` because of a rule, a limit or their content, and `failed` because
   * of the store or the database.
   */
  readonly uploads = { stored: 0, refused: 0, failed: 0 };
  /** Total duration of all uploads, in seconds. */
  seconds = 0;
  /** Bytes of complete uploads. */
  bytes = 0;
  /** Files deleted by upkeep. */
  removed = 0;
}

/** All uploaded files. No folder or connection is opened before it is used. */
export class Files {
  readonly incoming: Incoming;
  /** The folder for exports in progress. */
  readonly working: string;
  readonly figures = new FileFigures();
  readonly #config: FilesConfig;
  #store: Promise<FileStore> | undefined;

  constructor(config: FilesConfig) {
    this.#config = config;
    const folder = folderOf(config);
    const local = folder ?? join(config.data, 'files');
    this.incoming = new Incoming(join(local, 'incoming'));
    this.working = join(local, 'exports');
  }

  /** The folder that contains the files; undefined if they are in a bucket. */
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

/** Returns the folder that contains the files with these settings; undefined if they are in a bucket. */
export function folderOf({ data, files = '' }: FilesConfig): string | undefined {
  if (/^https?:/i.test(files)) return undefined;
  return files === '' ? join(data, 'files') : resolve(files);
}
