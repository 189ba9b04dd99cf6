import type { Readable } from 'node:stream';

/** A byte range, both ends inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * A store for files. Keys are ids that Palaver generated, with an optional suffix. Never pass a client's file
 * name as a key.
 */
export interface FileStore {
  /** The store's location without credentials, to show to the operator. */
  readonly name: string;
  /**
   * Moves or copies a local file into the store. The file is durable once this resolves. Throws
   * `StoreError`.
   */
  put(key: string, path: string, bytes: number): Promise<void>;
  /** Streams a file, or a range of it. Throws `NotStored` or `StoreError`. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Returns the size of a file in bytes; undefined if it does not exist. Throws `StoreError`. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Deletes a file permanently. Idempotent. Throws `StoreError`. */
  remove(key: string): Promise<void>;
}

/** Thrown if the store cannot be reached or written to. The message is for the operator. */
export class StoreError extends Error {}

/** Thrown if the store, or the disk of its folder, is full. */
export class StoreFull extends StoreError {}

/** Whether a write failed because the disk or the user's disk quota is full. */
export const isNoSpace = (code: string | undefined): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** Thrown if the store does not have the file. */
export class NotStored extends StoreError {}

/** The preview sizes, which are the maximum length of the longer side, in pixels. */
export const previewSizes = { small: 480, large: 1600 } as const;

export type PreviewSize = keyof typeof previewSizes;

/** Returns the keys of a file and of its previews. */
export const fileKeys = (id: string) => ({ whole: id, small: `${id}.small`, large: `${id}.large` }) as const;
