import { parentPort, workerData } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

/**
 * A thread that answers with a `ReaderAnswer` for each path of `workerData`, and ends (see `pages.ts`). Loading the reader takes
 * most of a second, in which nobody else would be served. It is asked in an app of its own, since one that listens takes no more
 * routes. Plain JavaScript, as every thread.
 */
const reader = fastify();
await reader.register(scalar, {
  routePrefix: workerData.prefix,
  configuration: {
    url: '/openapi.json',
    pageTitle: 'Palaver API',
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    showToolbar: 'never',
  },
});
const answers = [];
for (const path of workerData.paths) {
  const { statusCode: status, headers, rawPayload } = await reader.inject(path);
  const { 'content-type': type, location } = headers;
  const shown = { ...(type && { 'content-type': type }), ...(location && { location }) };
  answers.push({ path, status, headers: shown, body: new Uint8Array(rawPayload) });
}
await reader.close();
parentPort?.postMessage(
  answers,
  answers.map(({ body }) => body.buffer),
);
