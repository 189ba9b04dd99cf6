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
 * How long responses keep their connections open before the listener closes, and how long open connections
 * are served afterwards.
 */
const SETTLE_MS = 500;
/**
 * If a turn of the event loop is shorter than this and brings no new connection, no connection is pending.
 */
const QUIET_TURN_MS = 1;
/** Maximum wait for such a turn. */
const QUIET_WAIT_MS = 500;
const POLL_MS = 20;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Tracks a server's open connections, and drains them without losing a request (decision 0039). */
export class Connections {
  /** All open connections. */
  readonly sockets = new Set<Socket>();
  /** Whether every response closes its connection (`Connection: close`). */
  endWithAnswers = false;
  #accepted = 0;

  /**
   * The response class for Node's HTTP server. A response closes its connection if `endWithAnswers` is set
   * when the response starts.
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
    // Node considers a connection idle as soon as its response is handed to the socket. Closing it then
    // would cut off data that the client has not received. Only Node knows which connections are idle, and
    // it closes all of them or none, so none are closed while any client still has data to receive.
    // Shutdown closes them after their next response, or when it times out.
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
   * Keeps serving for `ms` milliseconds, or until the signal aborts, and closes each connection after its
   * response, except in the last half second. Then stops accepting connections, and closes each open one after
   * its response, for up to half a second.
   */
  async drain({ server }: FastifyInstance, ms: number, signal: AbortSignal): Promise<void> {
    this.endWithAnswers = true;
    await pause(ms - SETTLE_MS, signal);
    // Lets proxies keep their connections for now, because they then open fewer new ones while the listener
    // closes.
    this.endWithAnswers = false;
    await pause(Math.min(ms, SETTLE_MS), signal);
    await this.#quiet();
    // Only stops listening. Closing an HTTP server would also close idle and new connections, which may be
    // about to receive a request.
    NetServer.prototype.close.call(server);
    this.endWithAnswers = true;
    const end = performance.now() + SETTLE_MS;
    while (this.sockets.size > 0 && performance.now() < end) await sleep(POLL_MS);
  }

  /**
   * Resolves when no connection is waiting to be accepted, because the operating system resets waiting
   * connections when the listener closes.
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

/** Waits for `ms`, or until the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});

/**
 * Makes a response close its connection, unless the request is still being received: the client could then
 * lose the response.
 */
function endConnection(answer: ServerResponse): void {
  if (answer.req.complete) answer.setHeader('connection', 'close');
  // Fastify sets this header while a server is closing.
  else answer.removeHeader('connection');
}
