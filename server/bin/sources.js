// Plain JavaScript for Node 20 and newer: detects generated and built files of a checkout that are out of date.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Everything the client and the server are built from; the lock file pins the versions of the packages. */
const SOURCES = ['web', 'client/src', 'package-lock.json'];
const SERVER_SOURCES = ['server/src', 'scripts/bundle.ts', 'package-lock.json'];
/** Sources of `client/src/generated`. */
const GENERATED_FROM = [
  'docs/openapi.json',
  'server/src/access',
  'server/src/lib/flags.ts',
  'scripts/client.ts',
  'web/replica',
  'web/api/names.ts',
];
const isSource = (name) => !['dist', 'dist-react', 'node_modules'].includes(name);

/**
 * True if a source of the client is newer than the build, or if a file was added or removed after the build.
 */
export function isClientStale(root) {
  return isOlder(root, join(root, 'web', 'dist', 'manifest.json'), SOURCES);
}

/** The script that starts a checkout's server from its bundle. It is written last, when the bundle is complete. */
export const serverProgram = (root) =>
  join(root, 'node_modules', '.cache', 'palaver', 'server', 'palaver.mjs');

/** True if the server's bundle is missing or older than its sources. */
export function isServerStale(root) {
  return isOlder(root, serverProgram(root), SERVER_SOURCES);
}

function isOlder(root, file, sources) {
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return built === undefined || sources.some((path) => hasNewer(join(root, path), built));
}

/**
 * True if a generated file of the client is missing or older than its sources. With `withTypes`, also checks the API's
 * types.
 */
export function isGeneratedStale(root, withTypes) {
  const made = ['operations.ts', ...(withTypes ? ['schema.ts'] : [])].map(
    (file) => statSync(join(root, 'client', 'src', 'generated', file), { throwIfNoEntry: false })?.mtimeMs,
  );
  return made.some(
    (time) => time === undefined || GENERATED_FROM.some((path) => hasNewer(join(root, path), time)),
  );
}

function hasNewer(path, time) {
  const found = statSync(path);
  return found.isDirectory() ? hasNewerInside(path, time) : found.mtimeMs > time;
}

/** This checks thousands of files at each start: `path.join` would take a third of the time. */
function hasNewerInside(folder, time) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (!isSource(entry.name)) return false;
    const path = `${folder}/${entry.name}`;
    return statSync(path).mtimeMs > time || (entry.isDirectory() && hasNewerInside(path, time));
  });
}
