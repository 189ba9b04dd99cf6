import type { Around } from './around.ts';
import type { Replica } from './replica.ts';
import type { Streaming } from './streaming.ts';
import type { Api, LiveEvent } from './types.ts';

/** Delay before the text of messages that were being read is requested. */
const AGAIN_MS = 2_000;

/** Loads `Streaming` once a message is being streamed. */
export class Streamed {
  readonly #replica: Replica;
  readonly #around: Around;
  readonly #load: () => Promise<Streaming>;
  #streaming: Promise<Streaming> | undefined;

  constructor(replica: Replica, api: Api, around: Around) {
    this.#replica = replica;
    this.#around = around;
    this.#load = async () => new (await import('./streaming.ts')).Streaming(replica, api, around);
  }

  apply(event: LiveEvent): void {
    if (event.type === 'messageDelta.appended') {
      this.#loaded((streaming) => streaming.append(event.serverId, event.data));
    } else if (event.type === 'message.updated' || event.type === 'message.deleted')
      this.#streaming?.then((streaming) => streaming.end(event.data.id)).catch(() => {});
  }

  /** Called when the stream opens: requests the text of messages that are being streamed. */
  renew(isAgain = false): void {
    const { marks } = this.#replica;
    // A message that is still being read may miss pieces, too.
    if (marks.isReading && !isAgain) this.#around.after(AGAIN_MS, () => this.renew(true));
    if (this.#replica.all('message').some(({ stream }) => stream === 'open'))
      this.#loaded((streaming) => streaming.renew());
  }

  #loaded(use: (streaming: Streaming) => void): void {
    this.#streaming ??= this.#load();
    this.#streaming.then(use, () => {
      this.#streaming = undefined;
    });
  }
}
