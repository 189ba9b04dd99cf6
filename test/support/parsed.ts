import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, isWhole } from '../../server/src/files/media/inspect.ts';

/** A part of a file: bytes, or text in Latin-1. */
export type Bytes = Uint8Array | number[] | string;

export const joined = (...parts: Bytes[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );

export const textOf = (...parts: Bytes[]): string => joined(...parts).toString('latin1');

/** Inspects a file with these parts. Returns the result, and the bytes that are kept, in Latin-1. */
export async function parsed(...parts: Bytes[]) {
  const given = joined(...parts);
  const folder = mkdtempSync(join(tmpdir(), 'palaver-parsed-'));
  try {
    const path = join(folder, 'file');
    writeFileSync(path, given);
    const found = await inspect(path, given.length, async () => {});
    const kept = found.pieces.map((piece) =>
      piece instanceof Uint8Array ? piece : given.subarray(piece.from, piece.to),
    );
    return { ...found, kept: textOf(...kept), isWhole: isWhole(found, given.length) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
