import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Running } from './processes.ts';
import { median, quick, reportWithLoad } from './report.ts';
import type { Stage } from './stage.ts';

const BYTES = 100 * 2 ** 20;
const PIECE = Buffer.alloc(2 ** 16, 0x61);
const UPLOADS = quick ? 2 : 5;
const GOAL_MB = 60;
/** How often memory is sampled, in milliseconds. */
const LOOK_MS = 5;

/** Uploads large files one after another, and measures the peak growth of the node's memory. */
export async function measureUpload({ made }: Stage, node: Running): Promise<void> {
  const authorization = `Bearer ${made.key}`;
  // The first upload loads code, whose memory is not attributed to a file.
  await send(node, authorization, PIECE.length);
  const before = node.memory();
  let highest = before;
  const look = setInterval(() => {
    highest = Math.max(highest, node.memory());
  }, LOOK_MS);
  const seconds: number[] = [];
  try {
    while (seconds.length < UPLOADS) {
      const from = performance.now();
      await send(node, authorization, BYTES);
      seconds.push((performance.now() - from) / 1000);
    }
  } finally {
    clearInterval(look);
  }
  const grown = (highest - before) / 2 ** 20;
  const detail = ` on top of ${(before / 2 ** 20).toFixed(0)} MB, the most in ${UPLOADS} uploads of ${median(seconds).toFixed(1)} s each`;
  reportWithLoad('memory used by a 100 MB upload', grown, ' MB', `≤ ${GOAL_MB} MB`, grown <= GOAL_MB, detail);
}

/** Uploads a file of the given size in bytes, as a multipart form. */
async function send({ url }: Running, authorization: string, bytes: number): Promise<void> {
  const boundary = 'a-boundary-that-is-in-no-file';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const sent = request(`${url}/api/v1/attachments`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + bytes + tail.length,
    },
  });
  const answered = once(sent, 'response');
  sent.write(head);
  for (let left = bytes; left > 0; left -= PIECE.length) {
    const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
    if (!sent.write(piece)) await once(sent, 'drain');
  }
  sent.end(tail);
  const [response] = await answered;
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`an upload returned ${response.statusCode}: ${answer}`);
}
