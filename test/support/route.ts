import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy for a database or a node. Its connections can fall silent: they stay open, but nothing comes through. */
export class Route {
  readonly #server = createServer((near) => this.#join(near));
  readonly #ends = new Set<Socket>();
  readonly #delay: number;
  #target = new URL('postgres://nowhere');
  #isCut = false;

  /** `delay` is the delay, in milliseconds, of everything that the proxy's clients send. */
  constructor(delay = 0) {
    this.#delay = delay;
  }

  /** Starts the proxy and returns its address. */
  async open(target: string): Promise<string> {
    this.#target = new URL(target);
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return Object.assign(new URL(target), { port: String(port) }).href;
  }

  /** Directs new connections to another server, and breaks existing ones. */
  lead(port: number): void {
    this.#target.port = String(port);
    for (const end of this.#ends) end.destroy();
  }

  /** Silences the current connections. New connections work. */
  silence(): void {
    for (const end of this.#ends) end.unpipe().pause();
  }

  /** Silences the current connections, and new ones until `mend` is called. */
  cut(): void {
    this.#isCut = true;
    this.silence();
  }

  /** Lets new connections through again. */
  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.#server.close();
    for (const end of this.#ends) end.destroy();
  }

  #join(near: Socket): void {
    near.on('error', () => {});
    if (this.#isCut) {
      this.#ends.add(near);
      near.pause();
      return;
    }
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(end);
      if (end === near && this.#delay > 0) this.#hold(near, far);
      else end.pipe(other);
      end.on('error', () => {});
      end.on('close', () => {
        this.#ends.delete(end);
        other.destroy();
      });
    }
  }

  #hold(near: Socket, far: Socket): void {
    near.on('data', async (bytes) => {
      await sleep(this.#delay);
      if (!near.isPaused()) far.write(bytes);
    });
  }
}
