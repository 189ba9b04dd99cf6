import type { CustomFetch } from 'openid-client';

/** Size limit for a provider's response, in bytes. Key sets take a few kilobytes. */
const MAX_BYTES = 512 * 1024;

/** `fetch` with a size limit. Redirects are not followed, as openid-client requests in its options. */
export const fetchBounded: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const { status, statusText, headers } = response;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw new TypeError('the response is too large', { cause: { code: 'TOO_LARGE' } });
    parts.push(part);
  }
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(parts) : null, { status, statusText, headers });
};
