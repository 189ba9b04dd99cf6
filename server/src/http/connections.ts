import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections;
  }
}

/**
 * Time before the listener closes in which responses keep connections open, and time that idle ones stay
 * afterwards.
 */
const SETTLE_MS = 500;
/** A turn of the event loop that is shorter, and brings no new connection, shows that none is pending. */
const QUIET_TURN_MS = 1;
/** The longest wait for such a turn. */
const QUIET_WAIT_MS = 500;
const POLL_MS = 20;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The connections of a server, and how they are drained without losing a request (decision 0039). */
export class Connections {
  /** All open connections. */
  readonly sockets = new Set<Socket>();
  /** Whether every response ends its connection (`Connection: close`). */
  endWithAnswers = false;
  #accepted = 0;

  /**
   * The response class for Node's HTTP server, which ends the connection if `endWithAnswers` is set when the
   * response starts.
   */
  get answers(): typeof ServerResponse {
    const connections = this;
    // A regular import would also load Node's HTTP client.
    const { ServerResponse } = process.getBuiltinModule('node:http');
    return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
      override writeHead(status: number, reason?: string, headers?: Headers): this;
      override writeHead(status: number, headers?: Headers): this;
      override writeHead(status: number, ...rest: (string | Headers | undefined)[]): this {
        if (connections.endWithAnswers) endConnection(this);
        return super.writeHead(status, ...(rest as [Headers?]));
      }
    };
  }

  /** Tracks the connections of an app's server. */
  watch({ server }: FastifyInstance): void {
    const closeIdle = server.closeIdleConnections.bind(server);
    // Node considers a connection idle once the response was handed to the socket; closing it would cut off
    // what the client has not received yet. Only Node knows which ones are idle, and it closes all or none,
    // so none is closed while any client still has data to receive. Shutdown ends them with their next
    // responses, or finally by its timeout.
    server.closeIdleConnections = () => {
      for (const { writableLength } of this.sockets) if (writableLength > 0) return;
      closeIdle();
    };
    server.on('connection', (socket: Socket) => {
      this.#accepted++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Keeps serving for `ms` milliseconds, or until the signal, ending each connection with its response. Then
   * stops accepting connections, and continues like this with the open ones for up to half a second, or until
   * there are none.
   */
  async drain({ server }: FastifyInstance, ms: number, signal: AbortSignal): Promise<void> {
    this.endWithAnswers = true;
    await pause(ms - SETTLE_MS, signal);
    // Proxies that still send requests keep their connections for now, so hardly any new ones arrive while
    // the listener closes.
    this.endWithAnswers = false;
    await pause(Math.min(ms, SETTLE_MS), signal);
    await this.#quiet();
    // Closing an HTTP server also closes idle and new connections, to which a request may be on its way. Only
    // stop listening.
    NetServer.prototype.close.call(server);
    this.endWithAnswers = true;
    const end = performance.now() + SETTLE_MS;
    while (this.sockets.size > 0 && performance.now() < end) await sleep(POLL_MS);
  }

  /**
   * Resolves when no connection is waiting to be accepted, because the system resets those when the listener
   * closes.
   */
  async #quiet(): Promise<void> {
    const end = performance.now() + QUIET_WAIT_MS;
    for (;;) {
      const [accepted, from] = [this.#accepted, performance.now()];
      await setImmediate();
      const now = performance.now();
      if ((this.#accepted === accepted && now - from < QUIET_TURN_MS) || now > end) return;
    }
  }
}

/** Waits for `ms`, or until the signal. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});

/**
 * Makes a response end its connection, unless the request is still being received: the client might lose the
 * response.
 */
function endConnection(answer: ServerResponse): void {
  if (answer.req.complete) answer.setHeader('connection', 'close');
  // Fastify sets it while a server is closing.
  else answer.removeHeader('connection');
}
