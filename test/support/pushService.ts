import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types
import pushTesting from 'web-push-testing/src/PushApiModel.js';
import { until } from './process.ts';
import type { Json } from './world.ts';

/** The parts of web-push-testing that the tests use: it checks the headers and decrypts. */
interface Model {
  notifyUrl: string;
  subscribe(options: { userVisibleOnly: string; applicationServerKey: string }): Promise<Json>;
  handleNotification(device: string, headers: Json, body: Buffer): Promise<unknown>;
  getNotifications(of: { clientHash: string }): { messages: string[] };
  expireSubscription(device: string): void;
}

/** A push that the service accepted, as its device decrypts it. */
export interface Pushed {
  device: string;
  headers: IncomingHttpHeaders;
  payload: Json;
}

/** A push service on a local port. It rejects pushes that a device could not decrypt, or that are signed with another key. */
export class PushService {
  readonly pushed: Pushed[] = [];
  /** Statuses for the next pushes, in order. Once none are left, pushes are accepted. */
  readonly answers: number[] = [];
  /** The number of requests, including those that were rejected. */
  tried = 0;
  /** The reasons why pushes were rejected as invalid. */
  readonly faults: string[] = [];
  url = '';
  readonly #model: Model = new pushTesting.PushApiModel();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.tried++;
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const status = this.answers.shift();
      if (status !== undefined) return response.writeHead(status).end();
      const { headers, url = '' } = request;
      const device = url.replace('/notify/', '');
      const { authorization, ttl, 'content-encoding': encoding } = headers;
      try {
        await this.#model.handleNotification(device, { encoding, authorization, ttl }, Buffer.concat(pieces));
        const text = this.#model.getNotifications({ clientHash: device }).messages.at(-1) as string;
        this.pushed.push({ device, headers, payload: JSON.parse(text) });
        return response.writeHead(201).end();
      } catch (error) {
        const { name, message } = error as Error;
        if (name === 'SubscriptionExpiredError') return response.writeHead(410).end();
        this.faults.push(message);
        return response.writeHead(400).end();
      }
    });
  }

  static async open(): Promise<PushService> {
    const service = new PushService();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    service.url = `http://127.0.0.1:${(service.#server.address() as AddressInfo).port}`;
    service.#model.notifyUrl = `${service.url}/notify/`;
    return service;
  }

  /** Subscribes a new device, as `PushManager.subscribe` does. */
  async subscribe(pushKey: string): Promise<{ device: string; endpoint: string; keys: Json }> {
    const options = { userVisibleOnly: 'true', applicationServerKey: pushKey };
    const { endpoint, keys, clientHash } = await this.#model.subscribe(options);
    return { device: clientHash, endpoint, keys };
  }

  /** From now on, the service responds that it no longer knows the device. */
  expire(device: string): void {
    this.#model.expireSubscription(device);
  }

  /** Waits until a device has received `count` pushes. */
  async got(device: string, count: number): Promise<Pushed[]> {
    const found = () => this.pushed.filter((one) => one.device === device);
    await until(() => found().length >= count);
    return found();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
