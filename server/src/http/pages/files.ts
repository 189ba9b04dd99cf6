import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder that has `docs/`: the checkout's, or that of the package, in which `src/` stands at the top. */
const root = ['../../..', '../../../..']
  .map((up) => join(import.meta.dirname, up))
  .find((folder) => existsSync(join(folder, 'docs', 'README.md')));

const assets = join(import.meta.dirname, 'assets');

/** Folders of which every Markdown file is a guide, and files beside them. `scripts/package.ts` packs the same. */
const folders = ['docs/guides', 'docs/api', 'docs/operate'];
const single = ['docs/README.md', 'docs/tables.md', 'client/README.md', 'deploy/README.md'];

/** Styles, scripts and pictures of the pages, by their names. */
export async function readAssets(): Promise<Map<string, Buffer>> {
  const names = (await readdir(assets)).sort();
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(assets, name))]),
    ),
  );
}

/** The texts of the guides, by their paths in the repository. One that this installation lacks is left out. */
export async function readTexts(): Promise<Map<string, string>> {
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
