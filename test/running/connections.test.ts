// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createServer } from '../../server/src/http/server.ts';
import { until } from '../support/process.ts';

/** Exceeds the operating system's buffers for a connection. */
const BYTES = 32 * 1024 * 1024;

test('a server that stops sends a slow client its whole response, and closes idle connections in the meantime', async () => {
  const app = createServer('/api', {});
  app.get('/large', async (_request, reply) => reply.send(Buffer.alloc(BYTES, 'x')));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const client = connect(port, '127.0.0.1').pause();
  const idle = connect(port, '127.0.0.1');
  let bytes = 0;
  try {
    await Promise.all([once(client, 'connect'), once(idle, 'connect')]);
    client.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    const isBehind = () => [...app.connections.sockets].some(({ writableLength }) => writableLength > 0);
    await until(isBehind);
    const closing = app.close();
    // A Palaver node does this while it stops, and so does Node itself.
    app.server.closeIdleConnections();
    client.on('data', (chunk) => {
      bytes += chunk.length;
    });
    client.resume();
    await until(() => client.closed || (bytes > BYTES && !isBehind()));
    assert.ok(bytes > BYTES, `${bytes} bytes`);
    app.server.closeIdleConnections();
    await closing;
    await until(() => app.connections.sockets.size === 0);
  } finally {
    client.destroy();
    idle.destroy();
    app.server.closeAllConnections();
  }
});
