import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import type { Encoding } from '../encoding.ts';

/** The codings of built files, best first. */
const CODINGS = ['br', 'gzip'] as const satisfies Encoding[];
type Coding = (typeof CODINGS)[number];

/**
 * The folder of this file. Empty in the single executable, which contains the built client as assets with the
 * prefix `PACKED`.
 */
const here = isSea() ? '' : import.meta.dirname;

/**
 * Possible locations of the built client: in a checkout, or in the package, where `src/` is at the top level.
 */
const places = ['../../../../web/dist', '../../../web/dist'].map((up) => join(here, up));

/** The manifest of the built files, which `web/build.js` writes last. */
const LIST = 'manifest.json';

/** The prefix of the assets' names. */
export const PACKED = 'web/';

/** A built file, with its sizes in bytes, plain and compressed, and the digest of its content. */
interface Entry {
  bytes: number;
  br?: number;
  gzip?: number;
  digest: string;
}

/**
 * The manifest. `languages` are language tags, starting with the default. `inline` is the digest of the
 * script in `signedIn.html`, for its policy. `roots` are files with fixed names, and `files` are files with a
 * digest in their name.
 */
interface List {
  languages: string[];
  inline: string;
  roots: Record<string, Entry>;
  files: Record<string, Entry & { part: string }>;
}

const ends: Record<Coding, string> = { br: '.br', gzip: '.gz' };

/** A file of the client. Its bytes are read on first use and shared by all responses. */
export class WebFile {
  readonly digest: string;
  readonly #path: string;
  readonly #entry: Entry;
  readonly #read: (path: string) => Promise<Buffer>;
  readonly #bytes = new Map<Coding | undefined, Promise<Buffer>>();

  constructor(path: string, entry: Entry, read: (path: string) => Promise<Buffer>) {
    this.digest = entry.digest;
    this.#path = path;
    this.#entry = entry;
    this.#read = read;
  }

  /** The available codings, best first. */
  get codings(): readonly Coding[] {
    return CODINGS.filter((coding) => this.#entry[coding] !== undefined);
  }

  bytes(encoding: Coding | undefined): Promise<Buffer> {
    let bytes = this.#bytes.get(encoding);
    if (!bytes) {
      bytes = this.#read(this.#path + (encoding ? ends[encoding] : ''));
      this.#bytes.set(encoding, bytes);
      bytes.catch(() => this.#bytes.delete(encoding));
    }
    return bytes;
  }
}

/** The built client. */
export class WebFiles {
  readonly languages: readonly string[];
  readonly inline: string;
  /** The files by path: `en/index.html`, `files/main-….js`. */
  readonly #files: Map<string, WebFile>;
  readonly #version: number;

  private constructor(
    { languages, inline, roots, files }: List,
    version: number,
    read: (path: string) => Promise<Buffer>,
  ) {
    this.languages = languages;
    this.inline = inline;
    const named = Object.entries(files).map(([name, entry]): [string, Entry] => [`files/${name}`, entry]);
    this.#files = new Map(
      [...Object.entries(roots), ...named].map(([path, entry]) => [path, new WebFile(path, entry, read)]),
    );
    this.#version = version;
  }

  /**
   * Returns the client as it is currently built: `known` if that is still current; undefined if there is no
   * build.
   */
  static async open(known: WebFiles | undefined): Promise<WebFiles | undefined> {
    if (isSea()) {
      const read = async (path: string) => Buffer.from(getRawAsset(PACKED + path));
      return known ?? new WebFiles(JSON.parse(String(await read(LIST))), 0, read);
    }
    const folder = places.find((place) => existsSync(join(place, LIST)));
    if (folder === undefined) return undefined;
    // A checkout may be rebuilt, or the package replaced, while the server runs.
    const { mtimeMs } = await stat(join(folder, LIST));
    if (known && known.#version === mtimeMs) return known;
    const list: List = JSON.parse(await readFile(join(folder, LIST), 'utf8'));
    return new WebFiles(list, mtimeMs, (path) => readFile(join(folder, path)));
  }

  file(path: string): WebFile | undefined {
    return this.#files.get(path);
  }
}

/**
 * Returns the parts of the built client that go into the package and the single executable: the paths of its
 * files in `folder`, and their manifest as text. Omits files from previous builds. Throws an Error if the
 * client is not built, or was built with the tests' pseudo-language.
 */
export async function webFilesToPack(): Promise<{ folder: string; paths: string[]; list: string }> {
  const folder = places.find((place) => existsSync(join(place, LIST)));
  if (folder === undefined) throw new Error('the web client is not built: run "npm run web"');
  const {
    languages,
    inline,
    roots,
    files: all,
  }: List = JSON.parse(await readFile(join(folder, LIST), 'utf8'));
  if (languages.includes('ar-XB'))
    throw new Error('the web client was built with the pseudo language of the tests: run "npm run web"');
  const files = Object.fromEntries(Object.entries(all).filter(([, { part }]) => part !== 'before'));
  const named = Object.entries(files).map(([name, entry]): [string, Entry] => [`files/${name}`, entry]);
  const paths = [...Object.entries(roots), ...named].flatMap(([path, entry]) => [
    path,
    ...CODINGS.flatMap((coding) => (entry[coding] === undefined ? [] : [path + ends[coding]])),
  ]);
  return { folder, paths, list: JSON.stringify({ languages, inline, roots, files }) };
}
