import { flagMeanings } from '../../lib/flags.ts';

/** The document's introduction: facts that apply to all operations. */
export const introduction = `Palaver is a chat platform. This API covers all of it: servers, channels, messages, threads and more.

Requests need an API key, unless the operation says otherwise: \`Authorization: Bearer $KEY\`. A key belongs to one server, acts as one user, and has the flags of its role:

| Flag | Allows |
|---|---|
${Object.entries(flagMeanings)
  .map(([flag, meaning]) => `| ${flag} | ${meaning} |`)
  .join('\n')}

- Responses are JSON: \`{"ok": true, "data": …}\`, or \`{"ok": false, "error": {"code", "message", "requestId"}}\`. Successful responses have the status 200 unless the operation says otherwise.
- Lists have \`nextCursor\`: send it as \`cursor\` to get the next page. It is null on the last page.
- Times are milliseconds since the Unix epoch. Ids of records are UUIDv7 strings.
- Requests are limited per user and kind, in a sliding window. The header \`RateLimit\` has the remaining requests, and \`Retry-After\` the seconds to wait.
- A POST with an \`Idempotency-Key\` is safe to retry: it takes effect once.
- Unknown fields and query parameters are ignored, and listed in \`Ignored-Parameters\`.
- Fields, values and types of events may be added at any time: ignore unknown ones. Deprecated parts are marked \`deprecated\`; responses to requests that use them have the headers \`Deprecation\` and \`Sunset\`. A field with \`x-stability: none\` may change. See [the conventions](/docs/guides/conventions).
- A DELETE needs no body. An \`id\` in a body must match the one in the path.
- You can set \`X-Request-Id\`, up to 64 letters, digits, \`_\`, \`.\` or \`-\`. The response returns it.`;
