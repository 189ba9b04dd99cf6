import type { FastifyInstance } from 'fastify';
import { Ticker } from '../lib/ticker.ts';

/** The name of the timer that Node's HTTP server uses to check connections for timeouts. */
const TIMER = 'http.server.connectionsCheckingInterval';

/**
 * Makes Node check the connections for timeouts only while there are any, every `ms` milliseconds. Node
 * itself never stops checking and has no option for it. If a future version has no such timer, this does
 * nothing.
 */
export function checkWhileConnected({ server, connections }: FastifyInstance, ms: number): void {
  server.once('listening', () => {
    const symbol = Object.getOwnPropertySymbols(server).find(({ description }) => description === TIMER);
    const timer = symbol && (server as unknown as Record<symbol, Partial<NodesTimer> | undefined>)[symbol];
    const check = timer?._onTimeout;
    if (!check) return;
    clearInterval(timer as NodesTimer);
    const ticker = new Ticker(() => {
      check();
      if (connections.sockets.size === 0) ticker.stop();
    }, ms);
    server.on('connection', () => ticker.start());
    server.once('close', () => ticker.stop());
  });
}

type NodesTimer = NodeJS.Timeout & { _onTimeout(): void };
