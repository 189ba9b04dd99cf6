import { createServer, type ServerResponse } from 'node:http';

/**
 * The upper bound for event streams: a bare server that keeps every GET open and writes the body of each POST to all
 * of them.
 */
const open = new Set<ServerResponse>();

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': \n\n');
    open.add(response);
    response.on('close', () => open.delete(response));
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    for (const stream of open) stream.write(body);
    response.end('{}');
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as { port: number }).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
