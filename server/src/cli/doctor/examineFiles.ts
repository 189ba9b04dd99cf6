import type { Config } from '../../config.ts';
import { Files } from '../../files/files.ts';
import { attempt, type Finding } from './finding.ts';

/** Maximum number of files to check in a bucket, because each check takes a request. */
const IN_BUCKET = 20;

/** A row of `attachment` or `picture`. */
export interface KnownFile {
  id: string;
  bytes: number;
}

/** The rows of all files, in order of creation. */
export const allFiles =
  'select id, bytes from attachment union all select id, bytes from picture order by id';

/** Checks that the files of all attachments and pictures exist. In a bucket, checks only the latest ones. */
export const examineFiles = (config: Config, known: readonly KnownFile[]): Promise<Finding> =>
  attempt('files', async () => {
    const files = new Files(config);
    const store = await files.store;
    const looked = files.folder === undefined ? known.slice(-IN_BUCKET) : known;
    let missing = 0;
    for (const { id, bytes } of looked) if ((await store.sizeOf(id)) !== bytes) missing++;
    // Checks that the bucket responds, even if it is still empty.
    if (looked.length === 0 && files.folder === undefined) await store.sizeOf('doctor');
    if (missing > 0)
      throw new Error(`${missing} of ${looked.length} files are missing or incomplete in ${store.name}`);
    const megabytes = Math.round(known.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000);
    const isOwn = config.redis !== '' && config.files === '';
    const warning = isOwn ? '; all nodes must share it: set PALAVER_FILES' : '';
    const most = config.storageMegabytes;
    if (most > 0 && megabytes >= most)
      throw new Error(
        `${megabytes} MB are in use, and the limit is ${most} MB (storageMegabytes), so uploads are rejected: delete files or raise the limit`,
      );
    const limit = most > 0 ? ` of ${most}` : '';
    return `${known.length} files, ${megabytes}${limit} MB, in ${store.name}${warning}`;
  });
