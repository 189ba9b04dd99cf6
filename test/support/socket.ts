import { connect, type Socket } from 'node:net';
import { until } from './process.ts';
import type { Json } from './world.ts';

/** A connection to which a test writes byte by byte, like a slow or broken client. */
export class RawClient {
  readonly #socket: Socket;
  readonly #from = performance.now();
  #received = '';
  #closedAfter: number | undefined;

  constructor({ url }: { url: string }) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (piece) => {
      this.#received += piece;
    });
    // A dead server resets the connection, which these tests treat as an ordinary end.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#closedAfter = performance.now() - this.#from;
    });
  }

  send(text: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(text);
  }

  /** Sends a string one character at a time, until it is complete or the server closes the connection. */
  async drip(text: string, pause: number): Promise<void> {
    for (const letter of text) {
      if (this.#closedAfter !== undefined) return;
      this.send(letter);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  get received(): string {
    return this.#received;
  }

  /** Waits for a complete response. Its status is 0 if the server hung up without one. */
  async answer(): Promise<{ status: number; headers: string; body: Json }> {
    await until(() => this.#closedAfter !== undefined || isWhole(this.#received));
    const [headers = '', rest = ''] = this.#received.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1] ?? 0);
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? rest.length);
    const body = Buffer.from(rest).subarray(0, length).toString();
    return { status, headers, body: body.startsWith('{') ? JSON.parse(body) : body };
  }

  /** Discards everything received so far, so the next response is a later one. */
  forget(): void {
    this.#received = '';
  }

  /** Waits until the server hangs up, and returns the milliseconds since the connection was opened. */
  async hungUp(patience: number): Promise<number> {
    await until(() => this.#closedAfter !== undefined, patience);
    return this.#closedAfter as number;
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isWhole(text: string): boolean {
  const [headers, body] = text.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(headers ?? '')?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}
