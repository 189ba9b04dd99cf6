import { ArchiveRefused } from '../row.ts';

/** Limits of an archive. Tests lower them. */
export interface ArchiveLimits {
  /** Maximum files and folders. Each takes about 200 bytes of memory while the archive is open. */
  entries: number;
  /** Maximum total bytes of all files, uncompressed. */
  bytes: number;
  /** Maximum compression ratio. Archives that unpack to at most `smallBytes` are exempt. */
  ratio: number;
  smallBytes: number;
}

export const archiveLimits: ArchiveLimits = {
  entries: 250_000,
  bytes: 2 ** 40,
  // Deflate can reach a ratio of 1,032. Chat exports, which repeat names and keys, reach about 40.
  ratio: 200,
  smallBytes: 64 * 2 ** 20,
};

/** The files of an archive, independent of its format. */
export interface Contents {
  /** The size of each file in bytes, by its path with `/` between names. */
  files: ReadonlyMap<string, number>;
  /**
   * Returns the bytes of a file. Throws `ArchiveRefused` if they do not match the file's checksum or size.
   */
  read(path: string): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Maximum length of a path in UTF-8 bytes, and maximum nesting depth of folders. */
const MAX_PATH_BYTES = 2_048;
const MAX_DEPTH = 32;

/** Formats a path for display in messages. */
export const shown = (path: string): string =>
  JSON.stringify(path.length > 80 ? `${path.slice(0, 80).toWellFormed()}…` : path.toWellFormed());

/**
 * Returns the path of an entry with `/` between names; empty for an entry to ignore, such as the metadata
 * that macOS adds. Throws `ArchiveRefused` if the path leads outside the archive.
 */
function pathIn(name: string): string {
  const path = name.replaceAll('\\', '/');
  if (path.includes('\0'))
    throw new ArchiveRefused(`The archive has a path with a null character: ${shown(name)}.`);
  if (path.startsWith('/') || /^[a-z]:/i.test(path))
    throw new ArchiveRefused(`The archive has an absolute path: ${shown(name)}.`);
  const names = path.split('/').filter((part) => part !== '' && part !== '.');
  if (names.includes('..'))
    throw new ArchiveRefused(`The archive has a path that points outside of it: ${shown(name)}.`);
  if (names.length > MAX_DEPTH || Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new ArchiveRefused(`The archive has a path that is too long: ${shown(name)}.`);
  const isMetadata = names[0] === '__MACOSX' || names.at(-1) === '.DS_Store';
  return isMetadata ? '' : names.join('/').normalize('NFC');
}

/** Collects the entries of an archive within the limits. */
export class Listing<Place> {
  readonly files = new Map<string, number>();
  readonly places = new Map<string, Place>();
  readonly #limits: ArchiveLimits;
  /** The size of the compressed archive; undefined for a folder. */
  readonly #packedBytes: number | undefined;
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits, packedBytes?: number) {
    this.#limits = limits;
    this.#packedBytes = packedBytes;
  }

  /** Counts an entry, which may be a folder. */
  count(): void {
    if (++this.#entries > this.#limits.entries)
      throw new ArchiveRefused(`The archive has more than ${this.#limits.entries} entries.`);
  }

  /** Adds a file. Throws `ArchiveRefused` for a duplicate name, or if a limit is exceeded. */
  add(name: string, bytes: number, place: Place): void {
    const path = pathIn(name);
    if (path === '') return;
    if (this.files.has(path)) throw new ArchiveRefused(`The archive has two files named ${shown(path)}.`);
    this.#bytes += bytes;
    requireSize(this.#bytes, this.#packedBytes, this.#limits);
    this.files.set(path, bytes);
    this.places.set(path, place);
  }

  /** Throws `ArchiveRefused` if a path is both a file and a folder. */
  requireFolders(): void {
    for (const path of this.files.keys())
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
        if (this.files.has(path.slice(0, end)))
          throw new ArchiveRefused(`The archive has a file and a folder named ${shown(path.slice(0, end))}.`);
  }

  /** Returns the location of a file in the archive. Throws `ArchiveRefused` if there is none. */
  placeOf(path: string): Place {
    const place = this.places.get(path);
    if (place === undefined) throw new ArchiveRefused(`The archive has no file ${shown(path)}.`);
    return place;
  }
}

/**
 * Throws `ArchiveRefused` if the files in an archive are too large, in total or relative to the archive's
 * size.
 */
export function requireSize(bytes: number, packedBytes: number | undefined, limits: ArchiveLimits): void {
  if (bytes > limits.bytes) throw new ArchiveRefused('The files in the archive are too large.');
  if (packedBytes === undefined || bytes <= limits.smallBytes) return;
  if (bytes > packedBytes * limits.ratio)
    throw new ArchiveRefused(`The archive unpacks to more than ${limits.ratio} times its size.`);
}
