import { late } from '../../lib/late.ts';
import { Turns } from '../../lib/turns.ts';
import { type PreviewSize, previewSizes } from '../store.ts';
import { type FileType, isPicture } from './type.ts';

/** Pixels of a picture, at most. A larger one would take hundreds of megabytes wherever it is shown. */
export const MAX_PIXELS = 100_000_000;
/** Likewise of one whose rows do not come one after the other: to be decoded it is held whole, with up to eight bytes a pixel. */
const MAX_PROGRESSIVE_PIXELS = 25_000_000;
/** The time that one picture takes at most, in seconds. */
const TIMEOUT_SECONDS = 15;
/** A thumbhash is made of a picture of this size, at most. */
const HASH_PIXELS = 100;
const QUALITY = 80;

/** The only decoders that are let: others read formats that can name further files, or are seldom tested. */
const loaders = ['Jpeg', 'Png', 'Nsgif', 'Webp'].flatMap((name) => [
  `VipsForeignLoad${name}File`,
  `VipsForeignLoad${name}Buffer`,
]);

/** sharp, if the operator has installed it; undefined otherwise. */
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

/** Pictures of a picture. */
export interface Previews {
  /** WebP, by size: only those that are smaller than the picture itself. */
  images: Partial<Record<PreviewSize, Uint8Array>>;
  /** A placeholder of some 25 bytes (evanw.github.io/thumbhash), in base64. */
  thumbhash: string | null;
}

const none: Previews = { images: {}, thumbhash: null };

/** The work under way: one picture at a time is decoded, in a thread. Uploads are bounded, and so are those that wait here. */
const turns = new Turns();

/**
 * Makes the previews of a picture. None if it is no picture, if it cannot be decoded, or if sharp is not installed. `tenant` is
 * whose turn it is: somebody's pictures that take long delay those of another by one.
 */
export async function previewsOf(path: string, type: FileType, tenant: string): Promise<Previews> {
  if (!isPicture(type) || !(await loadSharp())) return none;
  // A file that is broken is kept as it is.
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
