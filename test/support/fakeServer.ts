import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * An HTTP server that answers its first request with the first of `answers`, and so on. The last one answers all
 * further requests.
 */
export class FakeServer {
  readonly asked: Asked[] = [];
  readonly #server;

  constructor(...answers: ((response: ServerResponse) => void)[]) {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      const answer = answers[Math.min(this.asked.length, answers.length - 1)];
      this.asked.push({ path: request.url as string, headers: request.headers, body });
      answer?.(response);
    });
  }

  /** Listens on a free port and returns the URL. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
