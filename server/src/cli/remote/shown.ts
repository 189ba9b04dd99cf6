import { plain } from '../../lib/plain.ts';
import { blockText } from '../../lib/text/blockText.ts';
import { ask, dataOf, type Remote } from './remote.ts';
import type { StreamEvent } from './stream.ts';

/** Maximum cached names. A full cache is cleared. */
const MAX_NAMES = 10_000;

/** Formats events as lines for people, with the names of channels and users instead of their ids. */
export class Shown {
  readonly #remote: Remote;
  readonly #showsTyping: boolean;
  readonly #names = new Map<string, Promise<string>>();

  /** Typing is shown only if `types` includes it. */
  constructor(remote: Remote, types = '') {
    this.#remote = remote;
    this.#showsTyping = types.includes('indicator.');
  }

  /** Returns the line for an event; undefined for events that are not shown. */
  async line({ type, at, actorId, actor, data = {}, reason }: StreamEvent): Promise<string | undefined> {
    if (type === 'reset') return `-- events are missing here: the cursor is ${plain(String(reason))} --`;
    if (type.startsWith('indicator.') && !this.#showsTyping) return undefined;
    const [noun, what] = type.split('.');
    if (noun === 'channel') this.#names.set(String(data.id), Promise.resolve(`#${plain(String(data.name))}`));
    const channelId = noun === 'channel' ? data.id : data.channelId;
    const place = typeof channelId === 'string' ? await this.#nameOf('channels', channelId) : '';
    const who =
      typeof actorId === 'string'
        ? await this.#nameOf('users', actorId)
        : actor === 'system'
          ? 'Palaver'
          : 'the operator';
    const time = new Date(at ?? Date.now()).toTimeString().slice(0, 8);
    if (noun === 'message') {
      const author = typeof data.creatorId === 'string' ? await this.#nameOf('users', data.creatorId) : who;
      const change = what === 'created' ? '' : ` (${plain(String(what))})`;
      return words(time, place, `${author}${change}: ${plain(textOf(data))}`);
    }
    const name = typeof data.name === 'string' && noun !== 'channel' ? ` "${plain(data.name)}"` : '';
    return words(time, place, `${plain(type)}${name} by ${who}`);
  }

  #nameOf(noun: 'channels' | 'users', id: string): Promise<string> {
    let name = this.#names.get(id);
    if (!name) {
      if (this.#names.size >= MAX_NAMES) this.#names.clear();
      name = this.#read(noun, id);
      this.#names.set(id, name);
    }
    return name;
  }

  /** Returns the name, or the end of the id if the name cannot be read. */
  async #read(noun: 'channels' | 'users', id: string): Promise<string> {
    const sign = noun === 'channels' ? '#' : '';
    try {
      const { name } = await dataOf<{ name: string }>(
        await ask(this.#remote, `/${noun}/${encodeURIComponent(id)}`),
      );
      return sign + plain(name);
    } catch {
      this.#names.delete(id);
      return `${sign}…${plain(id.slice(-8))}`;
    }
  }
}

const words = (...parts: string[]): string => parts.filter((part) => part !== '').join('  ');

/** Returns the text of a message or of its blocks; if there is none, the names of its files. */
function textOf({ content, attachments, blocks }: Record<string, unknown>): string {
  const text = content || (Array.isArray(blocks) && blockText(blocks));
  if (typeof text === 'string' && text !== '') return text;
  const files = Array.isArray(attachments) ? attachments : [];
  return files.map(({ name }) => `[${String(name)}]`).join(' ');
}
