import { flagMeanings } from '../../lib/flags.ts';

/** The first part of the document: the facts common to all operations. */
export const introduction = `Palaver is a chat platform. This API has all of it: servers, channels, messages, threads and more.

Every request carries an API key: \`Authorization: Bearer $KEY\`. A key is for one server, acts as one user, and has the flags of its role:

| Flag | Allows |
|---|---|
${Object.entries(flagMeanings)
  .map(([flag, meaning]) => `| ${flag} | ${meaning} |`)
  .join('\n')}

- Answers are JSON: \`{"ok": true, "data": …}\`, or \`{"ok": false, "error": {"code", "message", "requestId"}}\`. Every success is 200.
- Lists have \`nextCursor\`: send it as \`cursor\` to get the next page. It is null on the last page.
- Times are milliseconds since the Unix epoch. Identifiers are UUIDv7 strings.
- Requests are limited per user and kind, in a sliding window. \`RateLimit\` has the requests left, \`Retry-After\` the seconds to wait.
- A POST with an \`Idempotency-Key\` can be repeated without a second effect.
- Unknown fields and query parameters are ignored, and listed in \`Ignored-Parameters\`.
- Fields, values and types of events may be added at any time: ignore those that you do not know. A deprecated part has \`deprecated\`, and its use is told in the headers \`Deprecation\` and \`Sunset\`. A field with \`x-stability: none\` may change. See [the conventions](/docs/guides/conventions).
- A DELETE needs no body; an \`id\` in a body must equal that of the path.
- A request may have its own \`X-Request-Id\` of up to 64 letters, digits, \`_\`, \`.\` or \`-\`; the answer repeats it.`;
