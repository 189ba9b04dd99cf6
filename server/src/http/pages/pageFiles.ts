import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';

/**
 * The folder of this file. Empty in the single executable, whose asset `PACKED` contains the files that are
 * read here.
 */
const here = isSea() ? '' : import.meta.dirname;

/**
 * The folder that contains `docs/`: the root of the checkout, or of the package, in which `src/` is at the
 * top level.
 */
const root = ['../../..', '../../../..']
  .map((up) => join(here, up))
  .find((folder) => existsSync(join(folder, 'docs', 'README.md')));

const assets = join(here, 'assets');

/** The name of the asset that contains the result of `pack`. */
export const PACKED = 'pages.json';

/** The pages' files in the single executable, by name and path. Assets are base64. */
interface Packed {
  assets: Record<string, string>;
  texts: Record<string, string>;
}

/** Serializes all files that the pages need, for the single executable. */
export async function pack(): Promise<string> {
  const [assets, texts] = await Promise.all([readAssets(), readTexts()]);
  const encoded = [...assets].map(([name, bytes]) => [name, bytes.toString('base64')]);
  const packed: Packed = { assets: Object.fromEntries(encoded), texts: Object.fromEntries(texts) };
  return JSON.stringify(packed);
}

const unpack = (): Packed => JSON.parse(getAsset(PACKED, 'utf8'));

/**
 * Folders in which all Markdown files are guides, and individual files. `scripts/package.ts` packs the same
 * files.
 */
const folders = ['docs/guides', 'docs/api', 'docs/operate'];
const single = ['docs/README.md', 'docs/tables.md', 'client/README.md', 'deploy/README.md'];

/** Reads the styles, scripts and images of the pages, by name. */
export async function readAssets(): Promise<Map<string, Buffer>> {
  if (isSea()) {
    const encoded = Object.entries(unpack().assets);
    return new Map(encoded.map(([name, base64]) => [name, Buffer.from(base64, 'base64')]));
  }
  const names = (await readdir(assets)).sort();
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(assets, name))]),
    ),
  );
}

/**
 * Reads the texts of the guides, by their paths in the repository. Omits texts that this installation lacks.
 */
export async function readTexts(): Promise<Map<string, string>> {
  if (isSea()) return new Map(Object.entries(unpack().texts));
  if (root === undefined) return new Map();
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder)).catch(() => []))
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => `${folder}/${name}`),
    ),
  );
  const texts = await Promise.all(
    [...single, ...found.flat()].map(
      async (path): Promise<[string, string | undefined]> => [
        path,
        await readFile(join(root, path), 'utf8').catch(() => undefined),
      ],
    ),
  );
  return new Map(texts.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
