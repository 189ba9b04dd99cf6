import type { LiveEvent } from './types.ts';

type Listen = (event: LiveEvent) => void;

/**
 * Listeners called with each event once it is applied. A streamed message is delivered once it is complete.
 */
export class Listeners {
  readonly #all = new Set<Listen>();

  add(listen: Listen): () => void {
    this.#all.add(listen);
    return () => this.#all.delete(listen);
  }

  tell(event: LiveEvent): void {
    const told = asWhole(event);
    if (told) for (const listen of this.#all) listen(told);
  }
}

function asWhole(event: LiveEvent): LiveEvent | undefined {
  if (event.type === 'messageDelta.appended') return undefined;
  if (event.type === 'message.created' && event.data.stream === 'open') return undefined;
  if (event.type === 'message.updated' && event.data.finished) return { ...event, type: 'message.created' };
  return event;
}
