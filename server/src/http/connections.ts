import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections;
  }
}

/** Before the listener closes, answers keep connections open for so long, and idle ones stay for so long after. */
const SETTLE_MS = 500;
/** A turn of the event loop without a new connection, and shorter than this, shows that none waits. */
const QUIET_TURN_MS = 1;
/** The longest wait for such a turn. */
const QUIET_WAIT_MS = 500;
const POLL_MS = 20;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The connections of a server, and how they end without the loss of a request that was sent (decision 0039). */
export class Connections {
  /** All that are open. */
  readonly sockets = new Set<Socket>();
  /** True while each answer ends its connection: `Connection: close`. */
  endWithAnswers = false;
  #accepted = 0;

  /** For Node's HTTP server: answers that end their connection if they are to, by what is true when they begin. */
  get answers(): typeof ServerResponse {
    const connections = this;
    // An import of its values would also load Node's client of HTTP.
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

  /** Watches the server of an app. */
  watch({ server }: FastifyInstance): void {
    const closeIdle = server.closeIdleConnections.bind(server);
    // To Node a connection is idle once its answer was handed over, and a close would lose the part that its client has yet to take.
    // Which of them are idle only Node knows, and it closes all or none: so all stay while a client has yet to take a part. A stop
    // ends them with their next answers, and at last by its time.
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
   * Serves on for `ms` milliseconds, or until the signal, and ends each connection with its answer. Then accepts no more
   * connections, and goes on like this with those that are open, for up to half a second, or until there are none.
   */
  async drain({ server }: FastifyInstance, ms: number, signal: AbortSignal): Promise<void> {
    this.endWithAnswers = true;
    await pause(ms - SETTLE_MS, signal);
    // Proxies that still send keep their connections for now. So hardly anybody connects when the listener closes.
    this.endWithAnswers = false;
    await pause(Math.min(ms, SETTLE_MS), signal);
    await this.#quiet();
    // The close of HTTP servers also closes idle and new connections, on which a request may be on its way.
    NetServer.prototype.close.call(server);
    this.endWithAnswers = true;
    const end = performance.now() + SETTLE_MS;
    while (this.sockets.size > 0 && performance.now() < end) await sleep(POLL_MS);
  }

  /** Resolves when no connection waits to be accepted: the system resets those that wait when the listener closes. */
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

/** Waits, or until the signal. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});

/** Has an answer end its connection; not before all of the request is there, or the client might lose the answer. */
function endConnection(answer: ServerResponse): void {
  if (answer.req.complete) answer.setHeader('connection', 'close');
  // Fastify has set it for a server that closes.
  else answer.removeHeader('connection');
}
