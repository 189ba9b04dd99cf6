import { wholeNumber, words } from '../lib/settings.ts';
import { defaultBounds } from '../limits/bounds.ts';
import { runtimeSettings } from '../limits/runtime.ts';

/** The settings of uploaded files. */
export const fileSettings = {
  uploads: {
    env: 'PALAVER_UPLOADS',
    default: defaultBounds.uploads,
    about: 'Uploads of files under way on a node, at most',
    parse: wholeNumber(1, 10_000),
  },
  uploadsPerUser: {
    env: 'PALAVER_UPLOADS_PER_USER',
    default: defaultBounds.uploadsPerUser,
    about: 'Uploads of files of one user under way on a node, at most',
    parse: wholeNumber(1, 10_000),
  },
  fileMegabytes: {
    env: 'PALAVER_FILE_MEGABYTES',
    default: runtimeSettings.fileMegabytes.default,
    about: runtimeSettings.fileMegabytes.about,
    parse: wholeNumber(runtimeSettings.fileMegabytes.min, runtimeSettings.fileMegabytes.max),
  },
  files: {
    env: 'PALAVER_FILES',
    default: '',
    about:
      'Place of uploaded files: a folder, or the URL of a bucket with the protocol of S3, https://…/bucket; if empty, the folder files in the data folder. Nodes share it',
    parse: (value: unknown): string => (value === '' ? '' : words(value)),
  },
  filesKey: {
    env: 'PALAVER_FILES_KEY',
    default: '',
    about: 'Access key of the bucket: its id, a colon, and its secret',
    parse(value: unknown): string {
      if (value !== '' && (typeof value !== 'string' || !/^[^:]+:./.test(value)))
        throw new Error('must be the id of an access key, a colon, and its secret');
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
