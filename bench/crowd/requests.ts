import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Asked } from '../../test/support/everyOperation.ts';
import type { Json } from '../../test/support/world.ts';
import type { Person } from './data.ts';
import type { Stage } from './kept.ts';

export interface Answer {
  status: number;
  /** Milliseconds until the response was complete. */
  ms: number;
  /** The body as transferred, which is compressed if the client accepts compression. */
  bytes: Buffer;
}

/** Sends requests to a node over a fixed number of connections. */
export class Requests {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Sends a request. Does not decompress responses, which would cost this process CPU time. */
  ask({ method = 'GET', path, headers, body }: Asked): Promise<Answer> {
    const from = performance.now();
    const text = body && JSON.stringify(body);
    const given = text ? { 'content-type': 'application/json', ...headers } : headers;
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#url + path,
        { method, agent: this.#agent, headers: { 'accept-encoding': 'gzip', ...given } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode as number,
              ms: performance.now() - from,
              bytes: Buffer.concat(chunks),
            }),
          );
        },
      );
      // The node may have closed an idle connection. Browsers retry in that case, too.
      sent.on('error', (error) =>
        sent.reusedSocket
          ? resolve(this.ask({ method, path, headers, ...(body && { body }) }))
          : reject(error),
      );
      sent.end(text);
    });
  }

  /** Like `ask`. Throws if the request fails. */
  async succeed(asked: Asked): Promise<Answer> {
    const answer = await this.ask(asked);
    if (answer.status !== 200)
      throw new Error(`${asked.path}: ${answer.status} ${JSON.stringify(bodyOf(answer))}`);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The parsed body of a response. */
export function bodyOf({ bytes }: Answer): Json {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
  return text.startsWith('{') ? JSON.parse(text) : text;
}

/** The headers that a person's browser sends. */
export const sessionOf = ({ serverId }: Pick<Stage, 'serverId'>, { token }: Person) => ({
  cookie: `palaver=${token}`,
  'palaver-server': serverId,
});

export const keyOf = (key: string | undefined) => ({ authorization: `Bearer ${key}` });
