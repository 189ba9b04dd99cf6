import type { CustomFetch } from 'openid-client';

/** The size of an answer of a provider in bytes, at most: lists of keys have some kilobytes. */
const MAX_BYTES = 512 * 1024;

/** `fetch` for answers of a bounded size. Redirects are not followed: openid-client says so in the options. */
export const fetchBounded: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const { status, statusText, headers } = response;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw new TypeError('the answer is too large', { cause: { code: 'TOO_LARGE' } });
    parts.push(part);
  }
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(parts) : null, { status, statusText, headers });
};
