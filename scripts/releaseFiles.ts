import { spawnSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fileDigest } from '../server/src/lib/fileDigest.ts';

const root = join(import.meta.dirname, '..');

/** The file with the checksums of all others, in the format of `sha256sum`. */
export const SUMS = 'SHA256SUMS';
/** The signature file for the checksums. */
export const SIGNATURE = `${SUMS}.sig`;

/** The output of git in a repository. Throws if it fails. */
export function git(folder: string, ...args: string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', folder, ...args], {
    maxBuffer: 1024 ** 3,
  });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${error ?? stderr}`);
  return stdout;
}

/** Throws if a repository has uncommitted changes: the build could not be reproduced from the commit. */
export function requireCommitted(folder: string): void {
  const changed = String(git(folder, 'status', '--porcelain'));
  if (changed !== '')
    throw new Error(`a release is built from a commit, but there are changes:\n${changed.trimEnd()}`);
}

/** Compresses with this Node, without system-specific headers, so the bytes depend only on the content. */
function zipped(bytes: Uint8Array): Buffer {
  const all = gzipSync(bytes, { level: 9 });
  // The operating system (RFC 1952, 2.3.1): unknown.
  all[9] = 255;
  return all;
}

/** Recompresses npm's tarball, because npm's compression depends on the version of Node that runs it. */
export function zipAgain(path: string): void {
  writeFileSync(path, zipped(gunzipSync(readFileSync(path))));
}

/** The paths in the image's build context: those allowed by `Dockerfile.dockerignore`, and the `deploy` folder. */
export function imagePaths(): string[] {
  const lines = readFileSync(join(root, 'deploy', 'Dockerfile.dockerignore'), 'utf8').split('\n');
  return [...lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)), 'deploy'];
}

/** Everything that the image is built from, as a tarball of a commit. Git gives all files the commit's time. */
export const imageContext = (folder: string, commit: string, prefix: string): Buffer =>
  zipped(
    git(
      folder,
      ...['-c', 'tar.umask=0022', 'archive', '--format=tar', `--prefix=${prefix}/`, commit, '--'],
      ...new Set(imagePaths()),
    ),
  );

/** Writes the checksums of all files in a folder. */
export async function writeSums(folder: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => name !== SUMS && name !== SIGNATURE);
  const lines = await Promise.all(
    names.sort().map(async (name) => `${await fileDigest(join(folder, name))}  ${name}\n`),
  );
  writeFileSync(join(folder, SUMS), lines.join(''));
}

/** Signs the checksums with an Ed25519 key in PEM format (RFC 8410). Throws for another kind of key. */
export function signSums(folder: string, pem: string): void {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error('the release key must be an Ed25519 key in PEM format');
  writeFileSync(join(folder, SIGNATURE), sign(null, readFileSync(join(folder, SUMS)), key));
}
