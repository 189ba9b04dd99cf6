/** A size in px. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** One without a known size gets this. */
const unknown: Box = { width: 320, height: 240 };
/** The least side, so that what is very narrow can be seen and hit. */
const LEAST = 48;

/** The box in which a picture stands: no larger than itself or than `most`, in its own proportions as far as they allow. */
export function boxOf(size: { width: number | null; height: number | null }, most: Box): Box {
  const { width, height } = size.width && size.height ? (size as Box) : unknown;
  const scale = Math.min(1, most.width / width, most.height / height);
  const side = (length: number) => Math.max(LEAST, Math.round(length * scale));
  return { width: Math.min(most.width, side(width)), height: Math.min(most.height, side(height)) };
}
