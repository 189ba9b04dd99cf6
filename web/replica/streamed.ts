import type { Around } from './around.ts';
import type { Replica } from './replica.ts';
import type { Streaming } from './streaming.ts';
import type { Api, LiveEvent } from './types.ts';

/** Loads `Streaming` with the first piece of a message that is being streamed. */
export class Streamed {
  readonly #load: () => Promise<Streaming>;
  #streaming: Promise<Streaming> | undefined;

  constructor(replica: Replica, api: Api, around: Around) {
    this.#load = async () => new (await import('./streaming.ts')).Streaming(replica, api, around);
  }

  apply(event: LiveEvent): void {
    if (event.type === 'messageDelta.appended') {
      this.#streaming ??= this.#load();
      this.#streaming.then(
        (streaming) => streaming.append(event.serverId, event.data),
        () => {
          this.#streaming = undefined;
        },
      );
    } else if (event.type === 'message.updated' || event.type === 'message.deleted')
      this.#streaming?.then((streaming) => streaming.end(event.data.id)).catch(() => {});
  }

  renew(): void {
    this.#streaming?.then((streaming) => streaming.renew()).catch(() => {});
  }
}
