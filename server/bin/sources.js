// Plain JavaScript for Node 20 and newer: whether generated and built files of a checkout are older than their sources.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All that the client is built from; the lock file says with which packages. */
const SOURCES = ['web', 'client/src', 'package-lock.json'];
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

/** True if a source of the client is newer than what is built, or if a name came or went since. */
export function isClientStale(root) {
  const built = statSync(join(root, 'web', 'dist', 'manifest.json'), { throwIfNoEntry: false })?.mtimeMs;
  return built === undefined || SOURCES.some((path) => hasNewer(join(root, path), built));
}

/** True if a generated file of the client is missing, or older than its sources; `withTypes` includes the types of the API. */
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
  if (!found.isDirectory()) return found.mtimeMs > time;
  const inside = readdirSync(path, { withFileTypes: true }).filter(({ name }) => isSource(name));
  const isNewer = (entry) => statSync(join(path, entry.name)).mtimeMs > time;
  return inside.some(
    (entry) => isNewer(entry) || (entry.isDirectory() && hasNewer(join(path, entry.name), time)),
  );
}
