/** A size in px. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** The box of images whose size is unknown. */
const unknown: Box = { width: 320, height: 240 };
/** The minimum width and height, which keeps very narrow images visible and clickable. */
const LEAST = 48;

/**
 * The box of an image: the image's own size, scaled down to fit `most`. Sides shorter than `LEAST` are
 * lengthened to it, within `most`, which may change the aspect ratio.
 */
export function boxOf(size: { width: number | null; height: number | null }, most: Box): Box {
  const { width, height } = size.width && size.height ? (size as Box) : unknown;
  const scale = Math.min(1, most.width / width, most.height / height);
  const side = (length: number) => Math.max(LEAST, Math.round(length * scale));
  return { width: Math.min(most.width, side(width)), height: Math.min(most.height, side(height)) };
}

/** Maximum size in px of a video, and of an image that is alone in its message. */
export const alone: Box = { width: 480, height: 340 };

/** The box of a video. */
export const filmBox = (size: Parameters<typeof boxOf>[0]): Box => boxOf(size, alone);
