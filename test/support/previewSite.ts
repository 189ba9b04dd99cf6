import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responds with an HTML page. */
export const html = (response: ServerResponse, text: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);

type Pages = Record<string, (response: ServerResponse) => unknown>;

/** A web site on the loopback address, for link previews. A page that is not in `pages` has its path as its title. */
export class Site {
  readonly url: string;
  /** The paths that were requested. */
  readonly requested: string[];
  readonly #server: Server;

  private constructor(server: Server, requested: string[]) {
    this.#server = server;
    this.requested = requested;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(pages: Pages): Promise<Site> {
    const requested: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      requested.push(url);
      (pages[url] ?? ((to) => html(to, `<title>${url}</title>`)))(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Site(server, requested);
  }

  /** Empties `requested`. */
  forget(): void {
    this.requested.length = 0;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
