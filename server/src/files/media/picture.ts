import type { Piece } from './piece.ts';

/** A picture or film without its metadata. */
export interface Picture {
  /** Pixels as they are shown, turned if the file says so; null if they are not known. */
  width: number | null;
  height: number | null;
  /** The parts of the file that stay. */
  pieces: readonly Piece[];
}
