import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

/** A response as it was sent. `fetch` would request compression automatically, and decompress the response. */
export interface Exact {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends a request with exactly these headers. */
export function exactly(
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: string | Uint8Array } = {},
): Promise<Exact> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false, method, headers });
    asking.on('error', reject);
    asking.on('response', (response) => {
      const { statusCode = 0, headers } = response;
      buffer(response).then((bytes) => resolve({ status: statusCode, headers, bytes }), reject);
    });
    asking.end(body);
  });
}

/** The text of a response, decompressed. */
export function textOf({ headers, bytes }: Exact): string {
  const coding = headers['content-encoding'];
  if (coding === 'zstd') return zstdDecompressSync(bytes).toString();
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
