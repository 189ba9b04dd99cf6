import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './world.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves the metadata documents of apps on this machine. */
export class ClientHost {
  readonly url: string;
  readonly #server: Server;
  readonly #pages = new Map<string, Respond>();
  #count = 0;
  /** The number of requests. */
  asked = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.asked++;
      const respond = this.#pages.get(new URL(request.url ?? '', this.url).pathname);
      if (respond) respond(request, response);
      else response.writeHead(404).end();
    });
  }

  static async open(): Promise<ClientHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ClientHost(server);
  }

  /** Serves a response under a new path, and returns its URL. */
  page(respond: Respond): string {
    const path = `/client-${++this.#count}.json`;
    this.#pages.set(path, respond);
    return this.url + path;
  }

  /** Publishes a document, and returns the app's `client_id`. */
  publish(fields: Json = {}, type = 'application/json'): string {
    const url = this.page((_request, response) => {
      const text = typeof fields === 'string' ? fields : JSON.stringify({ ...documentOf(url), ...fields });
      response.writeHead(200, { 'content-type': type }).end(text);
    });
    return url;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A valid document. */
export const documentOf = (url: string): Json => ({
  client_id: url,
  client_name: 'Harbour Agent',
  redirect_uris: [
    'http://127.0.0.1/callback',
    'http://localhost/callback',
    'https://agent.example.com/callback',
  ],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});
