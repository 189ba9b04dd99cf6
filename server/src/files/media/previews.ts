import { late } from '../../lib/late.ts';
import { Turns } from '../../lib/turns.ts';
import { type PreviewSize, previewSizes } from '../store.ts';
import { type FileType, isPicture } from './type.ts';

/** Maximum pixels of an image. Displaying a larger one would take hundreds of megabytes. */
export const MAX_PIXELS = 100_000_000;
/**
 * Like `MAX_PIXELS`, for progressive and interlaced images, which are decoded as a whole, at up to eight
 * bytes per pixel.
 */
const MAX_PROGRESSIVE_PIXELS = 25_000_000;
/** Timeout per image, in seconds. */
const TIMEOUT_SECONDS = 15;
/** Maximum size, in pixels, of the image from which a thumbhash is computed. */
const HASH_PIXELS = 100;
const QUALITY = 80;

/**
 * The only decoders that are allowed. Others parse formats that can reference files, or are rarely tested.
 */
const loaders = ['Jpeg', 'Png', 'Nsgif', 'Webp'].flatMap((name) => [
  `VipsForeignLoad${name}File`,
  `VipsForeignLoad${name}Buffer`,
]);

/** Returns sharp if the operator has installed it; otherwise undefined. */
const loadSharp = late(async () => {
  try {
    const { default: sharp } = await import('sharp');
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: loaders });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  } catch {
    return undefined;
  }
});

/** The previews of an image. */
export interface Previews {
  /** WebP images by size; only sizes smaller than the original. */
  images: Partial<Record<PreviewSize, Uint8Array>>;
  /** A placeholder of about 25 bytes (evanw.github.io/thumbhash), in base64. */
  thumbhash: string | null;
}

const none: Previews = { images: {}, thumbhash: null };

/**
 * Decodes one image at a time, in a thread, to limit memory use. The limit on uploads also limits this queue.
 */
const turns = new Turns();

/**
 * Creates the previews of an image. Returns none if the file is not an image or cannot be decoded, or if
 * sharp is not installed. Scheduling is fair between tenants: a tenant with slow images delays another tenant
 * by at most one image.
 */
export async function previewsOf(path: string, type: FileType, tenant: string): Promise<Previews> {
  if (!isPicture(type) || !(await loadSharp())) return none;
  // A damaged image is stored unchanged, without previews.
  return turns.run(tenant, () => make(path)).catch(() => none);
}

async function make(path: string): Promise<Previews> {
  const sharp = await loadSharp();
  if (!sharp) return none;
  const within = (size: number) =>
    ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const;
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const;
  const shrunk = (size: PreviewSize, from: string | Uint8Array) =>
    sharp(from, options)
      .autoOrient()
      .resize(within(previewSizes[size]))
      .webp({ quality: QUALITY })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer();
  const { width = 0, height = 0, isProgressive } = await sharp(path, options).metadata();
  if (isProgressive && width * height > MAX_PROGRESSIVE_PIXELS) return none;
  const side = Math.max(width, height);
  const images: Previews['images'] = {};
  if (side > previewSizes.large) images.large = await shrunk('large', path);
  const smaller = await shrunk('small', images.large ?? path);
  if (side > previewSizes.small) images.small = smaller;
  const { data, info } = await sharp(smaller)
    .resize(within(HASH_PIXELS))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { rgbaToThumbHash } = await import('thumbhash');
  const hash = rgbaToThumbHash(info.width, info.height, data);
  return { images, thumbhash: Buffer.from(hash).toString('base64') };
}
