import { createHash, hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { lineFiles, MANIFEST, MANIFEST_SUM, type Manifest, pathOfLines } from '../export/format.ts';
import { type Archive, ArchiveRefused } from '../row.ts';

/** Maximum size of a manifest, in bytes. */
const MAX_MANIFEST = 300_000_000;

const done = new WeakMap<Archive, Promise<void>>();

/**
 * Verifies an export once: it must contain exactly the files of its manifest, with matching checksums. Throws
 * ArchiveRefused.
 */
export function verified(archive: Archive): Promise<void> {
  const known = done.get(archive) ?? verify(archive);
  done.set(archive, known);
  return known;
}

async function verify(archive: Archive): Promise<void> {
  const manifest = await manifestIn(archive);
  const listed = new Set([MANIFEST, MANIFEST_SUM]);
  for (const { path, bytes, sha256 } of manifest.files) {
    if (listed.has(path)) throw new ArchiveRefused(`the manifest lists ${path} twice`);
    listed.add(path);
    if (!archive.has(path)) throw new ArchiveRefused(`${path} is missing`);
    const digest = createHash('sha256');
    let size = 0;
    for await (const piece of await archive.open(path)) {
      size += (piece as Buffer).length;
      if (size > bytes) break;
      digest.update(piece as Buffer);
    }
    if (size !== bytes || digest.digest('hex') !== sha256)
      throw new ArchiveRefused(
        `${path} was changed or damaged: it does not match its checksum in the manifest`,
      );
  }
  for (const path of archive.paths)
    if (!listed.has(path)) throw new ArchiveRefused(`${path} is not in the manifest`);
  for (const name of lineFiles)
    if (!listed.has(pathOfLines(name))) throw new ArchiveRefused(`${pathOfLines(name)} is missing`);
  if (manifest.scope === 'person')
    throw new ArchiveRefused(
      "this is a person's export, and undamaged: all files match their checksums. It cannot be imported, because it has only one side of most conversations. Import the export of a server or a channel",
    );
}

async function manifestIn(archive: Archive): Promise<Manifest> {
  for (const path of [MANIFEST, MANIFEST_SUM])
    if (!archive.has(path))
      throw new ArchiveRefused(`this is not a Palaver export, or it is unfinished: ${path} is missing`);
  if ((archive.sizeOf(MANIFEST) ?? 0) > MAX_MANIFEST) throw new ArchiveRefused(`${MANIFEST} is too large`);
  if ((archive.sizeOf(MANIFEST_SUM) ?? 0) > 1_000) throw new ArchiveRefused(`${MANIFEST_SUM} is too large`);
  const text = await buffer(await archive.open(MANIFEST));
  const sum = (await buffer(await archive.open(MANIFEST_SUM))).toString('latin1');
  if (sum !== `${hash('sha256', text, 'hex')}  ${MANIFEST}\n`)
    throw new ArchiveRefused(`${MANIFEST} was changed or damaged: it does not match ${MANIFEST_SUM}`);
  const manifest = parsed(text.toString());
  if (!isManifest(manifest)) throw new ArchiveRefused(`${MANIFEST} is not the manifest of a Palaver export`);
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  const { format, version, files } = (value ?? {}) as Partial<Manifest>;
  return (
    format === 'palaver-export' &&
    version === 1 &&
    Array.isArray(files) &&
    files.every(
      (file) =>
        typeof file?.path === 'string' &&
        Number.isSafeInteger(file.bytes) &&
        /^[0-9a-f]{64}$/.test(file.sha256),
    )
  );
}
