// Collects the licences of third-party code, which must be distributed with every bundle that contains the
// code. This is plain JavaScript, because Node 20 runs it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `copied/` contains the licences of third-party data in our own sources, such as the icons; the scripts that
 * copy the data write them. `missing/` contains the licences of packages that ship without a licence file.
 */
const kept = join(dirname(fileURLToPath(import.meta.url)), 'licences');

/** The separator between licences. */
const LINE = `\n${'-'.repeat(80)}\n\n`;

const namesIn = (folder) => readdirSync(folder).sort();
const read = (...path) => readFileSync(join(...path), 'utf8').trim();

/** The licence section of a README. Undefined if it has none. */
function ofPage(text) {
  const part = text.split(/^#+ */m).find((one) => /^licen[cs]e\b/i.test(one));
  return part?.includes('Permission is hereby granted')
    ? part.split('\n').slice(1).join('\n').trim()
    : undefined;
}

function textOf(folder, name) {
  const found = namesIn(folder);
  const own = found.find((file) => /^licen[cs]e(\.|-mit|$)/i.test(file));
  if (own !== undefined) return read(folder, own);
  const page = found.find((file) => /^readme\.md$/i.test(file));
  const text = page && ofPage(read(folder, page));
  if (text) return text;
  const missing = join(kept, 'missing', `${name.replace('/', '__')}.txt`);
  if (existsSync(missing)) return read(missing);
  throw new Error(`${name} has no licence text. Add it to web/licences/missing`);
}

/**
 * The folders of the packages that these files belong to, without duplicates. For nested packages, the
 * inner one.
 */
function packagesOf(paths) {
  const folders = paths.map((path) => /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort();
}

/**
 * Concatenates the licences of copied data and of the packages that `paths`, the files of a bundle, belong
 * to. The licence of a package starts with a line with its name, version and SPDX identifier. Throws if a package
 * has no licence text.
 */
export function licencesOf(paths, copied = []) {
  const texts = packagesOf(paths).map((folder) => {
    const { name, version, license } = JSON.parse(read(folder, 'package.json'));
    return `${name} ${version}: ${license}\n\n${textOf(folder, name)}\n`;
  });
  return [...new Set([...texts, ...copied.map((name) => `${read(kept, 'copied', `${name}.txt`)}\n`)])].join(
    LINE,
  );
}

/** Data copied into the web client's sources. */
export const copiedByClient = ['emojibase-data', 'lucide-static'];
/** Data copied into the server's sources. */
export const copiedByServer = ['SecLists'];
