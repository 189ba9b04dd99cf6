import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './process.ts';
import type { Json } from './world.ts';

/** A request sent to a receiver. */
export interface Delivery {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  text: string;
  event: Json;
}

type Answer = number | ((response: ServerResponse, delivery: Delivery) => void);

/** A receiver of webhooks. It responds with 200 unless the test says otherwise. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  /** The next responses, in order. `otherwise` is used for all further requests. */
  readonly answers: Answer[] = [];
  otherwise: Answer = 200;
  readonly #server: Server;
  readonly #unanswered = new Set<ServerResponse>();
  url = '';

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.#unanswered.add(response);
      response.once('close', () => this.#unanswered.delete(response));
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece;
      const { method = '', url: path = '', headers } = request;
      const delivery = { method, path, headers, text, event: text === '' ? undefined : JSON.parse(text) };
      this.deliveries.push(delivery);
      const answer = this.answers.shift() ?? this.otherwise;
      if (typeof answer === 'function') answer(response, delivery);
      else response.writeHead(answer).end();
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    receiver.url = `http://127.0.0.1:${(receiver.#server.address() as AddressInfo).port}`;
    return receiver;
  }

  /** The contents of the received messages, in order of arrival. */
  get contents(): string[] {
    return this.deliveries
      .filter(({ event }) => event.type === 'message.created')
      .map(({ event }) => event.data.content);
  }

  /** Waits until the receiver has received `count` requests. */
  async got(count: number, patience = 10_000): Promise<Delivery[]> {
    await until(() => this.deliveries.length >= count, patience, 5);
    return this.deliveries;
  }

  /** Clears its requests, closes unanswered ones, and responds with 200 again. */
  clear(): void {
    this.deliveries.length = 0;
    this.answers.length = 0;
    this.otherwise = 200;
    for (const response of this.#unanswered) response.destroy();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
