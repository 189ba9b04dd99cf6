import type { Piece } from './piece.ts';

/** An image or video without its metadata. */
export interface Picture {
  /** The size in pixels as displayed, after the rotation that the file specifies; null if unknown. */
  width: number | null;
  height: number | null;
  /** The parts of the file to keep. */
  pieces: readonly Piece[];
}
