/** A size in px. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** For images without a known size. */
const unknown: Box = { width: 320, height: 240 };
/** Minimum side, to keep very narrow images visible and clickable. */
const LEAST = 48;

/** The box of an image: at most its own size or `most`, and in its aspect ratio if those limits allow. */
export function boxOf(size: { width: number | null; height: number | null }, most: Box): Box {
  const { width, height } = size.width && size.height ? (size as Box) : unknown;
  const scale = Math.min(1, most.width / width, most.height / height);
  const side = (length: number) => Math.max(LEAST, Math.round(length * scale));
  return { width: Math.min(most.width, side(width)), height: Math.min(most.height, side(height)) };
}
