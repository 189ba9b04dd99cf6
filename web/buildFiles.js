// Writes the output of `build.js`: precompressed files with a content hash in their names, and their
// manifest.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesOf, MAIN, SIGNED_IN } from './buildChunks.js';

/** The highest quality takes ten times as long and saves three percent. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;
/** Other files, such as images and fonts, are already compressed. */
const compressible = new Set(['.css', '.html', '.js', '.svg', '.txt', '.webmanifest']);

/**
 * This first line makes Chromium compile a script's functions off the main thread during the download,
 * instead of one by one when they are first called:
 * https://github.com/WICG/explicit-javascript-compile-hints-file-based
 */
const COMPILED_AHEAD = Buffer.from('//# allFunctionsCalledOnLoad\n');

const digestOf = (bytes) => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

/**
 * The source expression of an inline script's hash for the Content Security Policy:
 * https://www.w3.org/TR/CSP3/#grammardef-hash-source
 */
const digestInPolicy = (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** Writes a file atomically: concurrent readers get either the old or the new file. */
async function put(path, bytes) {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, bytes);
  await rename(draft, path);
}

/** Writes a file and its compressed forms. Returns its manifest entry: sizes in bytes, and hash. */
async function putCompressed(path, content) {
  const bytes = Buffer.from(content);
  await mkdir(dirname(path), { recursive: true });
  await put(path, bytes);
  const entry = { bytes: bytes.length, digest: digestOf(bytes) };
  if (!compressible.has(extname(path))) return entry;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: GZIP_LEVEL }),
  ]);
  if (br.length >= bytes.length || zipped.length >= bytes.length) return entry;
  await Promise.all([put(`${path}.br`, br), put(`${path}.gz`, zipped)]);
  return { ...entry, br: br.length, gzip: zipped.length };
}

/**
 * The previous build's files, which open pages may still request: the files in the manifest that are not
 * among `names`.
 */
async function filesOfBefore(list, names) {
  if (!existsSync(list)) return {};
  const { files } = JSON.parse(await readFile(list, 'utf8'));
  const entries = Object.entries(files);
  const gone = entries.filter(([name, { part }]) => part !== 'before' && !names.has(name));
  // Nothing changed, so keep the files that the previous build kept.
  const kept =
    gone.length > 0 ? gone : entries.filter(([name, { part }]) => part === 'before' && !names.has(name));
  return Object.fromEntries(kept.map(([name, entry]) => [name, { ...entry, part: 'before' }]));
}

/** Whether a page in this language may request a file. */
const isOf = ({ language }, wanted) => language === undefined || language === wanted;

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/**
 * The scripts by file name: the part of the client that each belongs to, and its language, which is undefined
 * if several languages share the script.
 */
function placesOf(built) {
  const places = new Map();
  for (const [language, { metafile, outputFiles }] of built) {
    const first = filesOf(metafile, MAIN);
    const signedIn = filesOf(metafile, SIGNED_IN).filter((name) => !first.includes(name));
    for (const name of outputFiles.map(({ path }) => basename(path))) {
      if (!name.endsWith('.js')) continue;
      const part = first.includes(name) ? 'first' : signedIn.includes(name) ? 'signedIn' : 'later';
      places.set(name, { part, ...(places.has(name) ? {} : { language }) });
    }
  }
  return places;
}

const escaped = (text) => text.replace(/[&<]/g, (each) => (each === '&' ? '&amp;' : '&lt;'));

/**
 * The HTML shells in a language: for browsers in an unknown state, without a session, and with one. `style`
 * is the name of the style sheet, `font` that of the typeface, and `ahead` the script that runs first.
 */
function shellsOf(page, { style, font, ahead }, language, { metafile }, { direction, needsScripts, docs }) {
  const first = filesOf(metafile, MAIN);
  const signedIn = filesOf(metafile, SIGNED_IN).filter((name) => !first.includes(name));
  const [main, ...others] = first;
  const preloads = (names) => names.map((name) => `<link rel="modulepreload" href="/web/${name}">`);
  const links = [
    `<link rel="stylesheet" href="/web/${style}">`,
    // Without this preload, the font would be requested when the first text is laid out, too late for this page
    // (`style/fonts.css`).
    `<link rel="preload" as="font" type="font/woff2" href="/web/${font}" crossorigin>`,
    // Blocks rendering, or the page would briefly appear in a theme other than the user's.
    `<script type="module" blocking="render" src="/web/${main}"></script>`,
    ...preloads(others),
  ];
  const shell = (all) =>
    page
      .replace('<html lang="en" dir="ltr">', `<html lang="${language}" dir="${direction}">`)
      .replace(
        '<noscript>',
        `<noscript><p>${escaped(needsScripts)} <a href="/docs/start">${escaped(docs)}</a></p>`,
      )
      .replace('<!-- styles and scripts -->', all.join('\n'));
  const marked = (text, mark) => text.replace('<div id="app"', `<div id="app" ${mark}`);
  return {
    [`${language}/index.html`]: shell(links),
    [`${language}/signedOut.html`]: marked(shell(links), 'data-signed-out'),
    [`${language}/signedIn.html`]: marked(
      shell([`<script>${ahead}</script>`, ...links, ...preloads(signedIn)]),
      'data-signed-in',
    ),
  };
}

/**
 * Writes a build to `target`: `files/` with a hash in each name; for each language its `index.html`, and
 * `signedIn.html` and `signedOut.html` for browsers known to have a session or none; `serviceWorker.js`,
 * `manifest.webmanifest`, `licences.txt` for the bundled packages, and finally `manifest.json`, which lists
 * them. `built` contains the scripts of each language, `texts` the texts of its shell. Returns a summary of
 * the file sizes of the first language.
 */
export async function writeBuild({
  folder,
  target,
  built,
  ahead,
  styles,
  page,
  manifest,
  texts,
  licences,
  workerWith,
}) {
  const begin = new Date();
  const list = join(target, 'manifest.json');
  const outputFiles = [...built.values()].flatMap(({ outputFiles }) => outputFiles);
  const outputs = new Map(
    [...outputFiles, ...styles.outputFiles].map(({ path, contents }) => [basename(path), contents]),
  );
  const icons = new Map();
  for (const [, path] of (page + manifest).matchAll(/"(icons\/[\w-]+\.png)"/g)) {
    const bytes = await readFile(join(folder, path));
    const name = `${basename(path, '.png')}-${digestOf(bytes).slice(0, 8)}.png`;
    icons.set(path, `/web/${name}`);
    outputs.set(name, bytes);
  }
  const places = placesOf(built);
  const placeOf = (name) => places.get(name) ?? { part: name.endsWith('.css') ? 'style' : 'other' };
  const isAtOnce = ({ part }) => part === 'first' || part === 'signedIn';
  const contentOf = (name, bytes) =>
    isAtOnce(placeOf(name)) ? Buffer.concat([COMPILED_AHEAD, bytes]) : bytes;
  const made = await Promise.all(
    [...outputs].map(async ([name, bytes]) => [
      name,
      { ...placeOf(name), ...(await putCompressed(join(target, 'files', name), contentOf(name, bytes))) },
    ]),
  );
  const before = await filesOfBefore(list, outputs);
  const files = { ...Object.fromEntries(made.sort(([one], [other]) => (one < other ? -1 : 1))), ...before };

  const withIcons = (text) => text.replace(/"(icons\/[\w-]+\.png)"/g, (_, path) => `"${icons.get(path)}"`);
  const [style] = made.flatMap(([name, { part }]) => (part === 'style' ? [name] : []));
  const font = made.map(([name]) => name).find((name) => name.endsWith('.woff2'));
  const contents = {
    ...Object.assign(
      {},
      ...[...built].map(([language, own]) =>
        shellsOf(withIcons(page), { style, font, ahead }, language, own, texts.get(language)),
      ),
    ),
    'serviceWorker.js': await workerWith(Object.keys(files)),
    // The manifest's URLs are relative, so they work under any path.
    'manifest.webmanifest': withIcons(manifest).replaceAll('"/web/', '"web/'),
    'licences.txt': licences,
  };
  const roots = Object.fromEntries(
    await Promise.all(
      Object.entries(contents).map(async ([name, content]) => [
        name,
        await putCompressed(join(target, name), content),
      ]),
    ),
  );
  const previous = existsSync(list) ? Object.keys(JSON.parse(await readFile(list, 'utf8')).files) : [];
  const languages = [...built.keys()];
  await put(
    list,
    `${JSON.stringify({ languages, inline: digestInPolicy(ahead), roots, files }, undefined, 2)}\n`,
  );
  // Dates the manifest to the start of the build, so sources that changed during the build are newer.
  await utimes(list, begin, begin);
  const gone = previous.filter((name) => !(name in files));
  await Promise.all(
    gone.flatMap((name) =>
      ['', '.br', '.gz'].map((end) => rm(join(target, 'files', name + end), { force: true })),
    ),
  );
  const sum = (part) =>
    made.reduce(
      (total, [, entry]) =>
        total + (entry.part === part && isOf(entry, languages[0]) ? (entry.br ?? entry.bytes) : 0),
      0,
    );
  return `${kilobytes(sum('first'))} of scripts at first, ${kilobytes(sum('signedIn'))} signed in, ${kilobytes(sum('later'))} later, ${kilobytes(sum('style'))} of styles`;
}
