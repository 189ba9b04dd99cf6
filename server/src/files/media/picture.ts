import type { Piece } from './piece.ts';

/** A picture or film without what it tells of its maker. */
export interface Picture {
  /** Pixels as they are shown, turned if the file says so; null if they are not known. */
  width: number | null;
  height: number | null;
  /** What stays of the file. */
  pieces: readonly Piece[];
}
