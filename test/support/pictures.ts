import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Metadata that no uploaded picture may keep. */
export const SECRET = 'N48 51 29.6 of Ada';

/** A noisy picture, like a photo, by default 60 × 40 px, rotated by 90°, with the secret in its Exif data. */
export const photo = (width = 60, height = 40) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#369',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .withExif({ IFD0: { Copyright: SECRET }, IFD3: { GPSLatitude: '48/1 51/1 296/10' } })
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: SECRET } } });

/** A chunk in a PNG file. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, 'latin1');
  made.set(data, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
}

/** A PNG that claims these dimensions. */
export function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0], 8);
  const data = deflateSync(Buffer.alloc((width + 1) * Math.min(height, 100)));
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    start,
    chunk('IHDR', head),
    ...more,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A box in an MPEG-4 file. */
export function box(type: string, ...content: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0), 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}
