import { wholeNumber, words } from '../lib/settings.ts';
import { defaultBounds } from '../limits/bounds.ts';
import { runtimeSettings } from '../limits/runtime.ts';

/**
 * The default minimum of free space, which is enough for a checkpoint of the database and for the other
 * programs on a small machine.
 */
const MIN_FREE_MEGABYTES = 256;

/** The settings for uploaded files and for the disk. */
export const fileSettings = {
  uploads: {
    env: 'PALAVER_UPLOADS',
    default: defaultBounds.uploads,
    about: 'Maximum concurrent uploads per node',
    parse: wholeNumber(1, 10_000),
  },
  uploadsPerUser: {
    env: 'PALAVER_UPLOADS_PER_USER',
    default: defaultBounds.uploadsPerUser,
    about: 'Maximum concurrent uploads per user and node',
    parse: wholeNumber(1, 10_000),
  },
  fileMegabytes: {
    env: 'PALAVER_FILE_MEGABYTES',
    default: runtimeSettings.fileMegabytes.default,
    about: runtimeSettings.fileMegabytes.about,
    parse: wholeNumber(runtimeSettings.fileMegabytes.min, runtimeSettings.fileMegabytes.max),
  },
  personMegabytes: {
    env: 'PALAVER_PERSON_MEGABYTES',
    default: runtimeSettings.personMegabytes.default,
    about: runtimeSettings.personMegabytes.about,
    parse: wholeNumber(runtimeSettings.personMegabytes.min, runtimeSettings.personMegabytes.max),
  },
  storageMegabytes: {
    env: 'PALAVER_STORAGE_MEGABYTES',
    default: runtimeSettings.storageMegabytes.default,
    about: runtimeSettings.storageMegabytes.about,
    parse: wholeNumber(runtimeSettings.storageMegabytes.min, runtimeSettings.storageMegabytes.max),
  },
  minFreeMegabytes: {
    env: 'PALAVER_MIN_FREE_MEGABYTES',
    default: MIN_FREE_MEGABYTES,
    about:
      'Minimum free space, in megabytes, on the disks that hold the data folder and the uploaded files. With less for the files, uploads are rejected. With less for the data folder, most other changes are also rejected, but not deletions, sign-ins and changes of runtime settings. 0 turns the check off',
    parse: wholeNumber(0, 10_000_000),
  },
  cacheMegabytes: {
    env: 'PALAVER_CACHE_MEGABYTES',
    default: 0,
    about:
      'Maximum megabytes of the embedded database to cache in memory. 0 means 1/256 of the memory, at least 24 and at most 1024',
    parse: wholeNumber(0, 1_000_000),
  },
  files: {
    env: 'PALAVER_FILES',
    default: '',
    about:
      'Storage of uploaded files: a folder, or the URL of an S3 bucket, https://…/bucket. All nodes share it. If empty, files are stored in the `files` folder inside the data folder',
    parse: (value: unknown): string => (value === '' ? '' : words(value)),
  },
  filesKey: {
    env: 'PALAVER_FILES_KEY',
    default: '',
    about: 'Access key of the bucket, as id:secret',
    parse(value: unknown): string {
      if (value !== '' && (typeof value !== 'string' || !/^[^:]+:./.test(value)))
        throw new Error('must be an access key as id:secret');
      return value;
    },
  },
  filesRegion: {
    env: 'PALAVER_FILES_REGION',
    default: 'us-east-1',
    about: 'Region of the bucket',
    parse: words,
  },
};
