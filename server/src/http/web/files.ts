import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import type { Encoding } from '../encoding.ts';

/** The folder of this file; none in the executable file, which carries the built client as assets below `PACKED`. */
const here = isSea() ? '' : import.meta.dirname;

/** The places of the built client: that of a checkout, and that of the package, in which `src/` stands at the top. */
const places = ['../../../../web/dist', '../../../web/dist'].map((up) => join(here, up));

/** The list of the built files, which `web/build.js` writes last. */
const LIST = 'manifest.json';

/** The beginning of the names of assets. */
export const PACKED = 'web/';

/** A built file: its sizes in bytes, plain and compressed, and the digest of its content. */
interface Entry {
  bytes: number;
  br?: number;
  gzip?: number;
  digest: string;
}

/** `languages` are the tags of its languages, the usual one first; `inline` names the script in `signedIn.html` for its policy; `roots` the files with a fixed name, `files` those with a digest in it. */
interface List {
  languages: string[];
  inline: string;
  roots: Record<string, Entry>;
  files: Record<string, Entry & { part: string }>;
}

const ends: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/** A file of the client. Its bytes are read when they are first asked for, and all answers share them. */
export class WebFile {
  readonly digest: string;
  readonly #path: string;
  readonly #entry: Entry;
  readonly #read: (path: string) => Promise<Buffer>;
  readonly #bytes = new Map<Encoding | undefined, Promise<Buffer>>();

  constructor(path: string, entry: Entry, read: (path: string) => Promise<Buffer>) {
    this.digest = entry.digest;
    this.#path = path;
    this.#entry = entry;
    this.#read = read;
  }

  /** True if there is a form with this coding. */
  has(encoding: Encoding): boolean {
    return this.#entry[encoding] !== undefined;
  }

  bytes(encoding: Encoding | undefined): Promise<Buffer> {
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
  /** The files by their paths: `en/index.html`, `files/main-….js`. */
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

  /** The client as it is now: `known` if that is still it, undefined if it was never built. */
  static async open(known: WebFiles | undefined): Promise<WebFiles | undefined> {
    if (isSea()) {
      const read = async (path: string) => Buffer.from(getRawAsset(PACKED + path));
      return known ?? new WebFiles(JSON.parse(String(await read(LIST))), 0, read);
    }
    const folder = places.find((place) => existsSync(join(place, LIST)));
    if (folder === undefined) return undefined;
    // A checkout builds it anew while the server runs, and a new package may take the place of this one.
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
 * What the package and the executable file carry of the built client: the paths of its files in `folder`, and the list of them, as
 * text. Files of the build before are none of it. Throws if the client is not built, or is built with the language of tests.
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
    throw new Error('the web client has the language of tests: run "npm run web"');
  const files = Object.fromEntries(Object.entries(all).filter(([, { part }]) => part !== 'before'));
  const named = Object.entries(files).map(([name, entry]): [string, Entry] => [`files/${name}`, entry]);
  const paths = [...Object.entries(roots), ...named].flatMap(([path, entry]) => [
    path,
    ...(['br', 'gzip'] as const).flatMap((coding) =>
      entry[coding] === undefined ? [] : [path + ends[coding]],
    ),
  ]);
  return { folder, paths, list: JSON.stringify({ languages, inline, roots, files }) };
}
