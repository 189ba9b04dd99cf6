import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

const [WIDTH, HEIGHT, HORIZON, SUN] = [960, 540, 330, { x: 660, y: 300, radius: 70 }];

const mix = (from: Colour, to: Colour, share: number): Colour =>
  from.map((value, index) =>
    Math.round(value + ((to[index] as number) - value) * share),
  ) as unknown as Colour;

/** Returns the colour of one pixel in a picture of a harbour at sunrise. */
function colourAt(x: number, y: number): Colour {
  const fromSun = Math.hypot(x - SUN.x, y - SUN.y);
  if (y < HORIZON) {
    if (fromSun < SUN.radius) return [255, 236, 190];
    // Hills along the horizon.
    if (y > HORIZON - 34 - 22 * Math.sin(x / 90) - 12 * Math.sin(x / 37)) return [74, 84, 120];
    const sky = mix([52, 84, 140], [250, 184, 130], y / HORIZON);
    return mix([255, 216, 150], sky, Math.min(1, (fromSun - SUN.radius) / 240));
  }
  const depth = (y - HORIZON) / (HEIGHT - HORIZON);
  const water = mix([196, 142, 124], [22, 48, 82], Math.sqrt(depth));
  // The sun's reflection in the waves, wider towards the viewer.
  const isLit = Math.abs(x - SUN.x + 9 * Math.sin(y / 3)) < 40 + 90 * depth && Math.sin(y / 2.6 + x / 60) > 0;
  return isLit ? mix(water, [255, 214, 150], 0.55 * (1 - depth)) : water;
}

/** Encodes a chunk of a PNG file (PNG specification, 5.3). */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Draws a picture as a PNG file, so that the program does not contain an image file just for the demo. */
export function harbour(): Buffer {
  const pixels = Buffer.alloc(HEIGHT * (1 + WIDTH * 3));
  let at = 0;
  for (let y = 0; y < HEIGHT; y++) {
    // Each row starts with its filter type: 0, for none.
    pixels[at++] = 0;
    for (let x = 0; x < WIDTH; x++) for (const value of colourAt(x, y)) pixels[at++] = value;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits per sample, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
