import type { Readable } from 'node:stream';

/** Part of a file in bytes, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** A place for files. Keys are made by Palaver: identifiers, with letters behind them. Never give it a name of a client. */
export interface FileStore {
  /** Its place, for the operator: no credentials. */
  readonly name: string;
  /** Moves or copies a file of this machine into the store. It is durable once this resolves. Throws `StoreError`. */
  put(key: string, path: string, bytes: number): Promise<void>;
  /** The bytes of a file, or a part of them. Throws `NotStored` or `StoreError`. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** The size of a file in bytes; undefined if there is none. Throws `StoreError`. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Removes a file for good. Does nothing if there is none. Throws `StoreError`. */
  remove(key: string): Promise<void>;
}

/** The store cannot be reached or written. The message is for the operator. */
export class StoreError extends Error {}

/** The store has no such file. */
export class NotStored extends StoreError {}

/** The sizes of previews: the longer side of each, in pixels, at most. */
export const previewSizes = { small: 480, large: 1600 } as const;

export type PreviewSize = keyof typeof previewSizes;

/** The keys of a file and of its previews. */
export const fileKeys = (id: string) => ({ whole: id, small: `${id}.small`, large: `${id}.large` }) as const;
