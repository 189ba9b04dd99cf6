import { flagMeanings } from '../../lib/flags.ts';

/** The part of the document that stands before the operations: what is true of all of them. */
export const introduction = `Palaver is a chat platform that is driven through this API: servers, channels, messages, threads and what belongs to them.

Every request carries an API key: \`Authorization: Bearer $KEY\`. A key is for one server, acts as one user, and has the flags of its role:

| Flag | Allows |
|---|---|
${Object.entries(flagMeanings)
  .map(([flag, meaning]) => `| ${flag} | ${meaning} |`)
  .join('\n')}

- Answers are JSON: \`{"ok": true, "data": …}\`, or \`{"ok": false, "error": {"code", "message", "requestId"}}\`. Every success is 200.
- Lists carry \`nextCursor\`; send it as \`cursor\` to get the next page. It is null on the last.
- Times are milliseconds since the Unix epoch. Identifiers are UUIDv7 strings.
- Requests are limited per user and kind, in a sliding window. \`RateLimit\` tells what is left, \`Retry-After\` how long to wait.
- A POST may carry \`Idempotency-Key\`, so that it can be repeated without a second effect.
- Unknown fields and query parameters are ignored, and named in \`Ignored-Parameters\`.
- A DELETE needs no body; an \`id\` in a body must equal that of the path.
- A request may carry its own \`X-Request-Id\` of up to 64 letters, digits, \`_\`, \`.\` or \`-\`; the answer repeats it.`;
