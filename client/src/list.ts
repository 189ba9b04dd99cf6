/**
 * A page of a list: its records, and the cursor of the next page, which is null on the last page. A page
 * around a message also has a `previousCursor`, which leads to newer messages. `expanded` is set if the call
 * used `expand`.
 */
export type Page<Item, Expanded = unknown> = Item[] & {
  nextCursor: string | null;
  previousCursor?: string | null;
  expanded?: Expanded;
};

/**
 * A list that has not been requested yet. `await list` requests one page. `for await (const item of list)`
 * iterates over all pages, each of which is requested when it is needed. Both throw PalaverError.
 */
export class List<Item, Answer extends { nextCursor: string | null }>
  implements Promise<Answer>, AsyncIterable<Item>
{
  readonly [Symbol.toStringTag] = 'List';
  readonly #read: (cursor: string | undefined) => Promise<Answer>;
  readonly #itemsOf: (answer: Answer) => readonly Item[];
  #first: Promise<Answer> | undefined;

  constructor(
    read: (cursor: string | undefined) => Promise<Answer>,
    itemsOf: (answer: Answer) => readonly Item[],
  ) {
    this.#read = read;
    this.#itemsOf = itemsOf;
  }

  #page(): Promise<Answer> {
    this.#first ??= this.#read(undefined);
    return this.#first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let answer = await this.#page();
    for (;;) {
      yield* this.#itemsOf(answer);
      if (answer.nextCursor === null) return;
      answer = await this.#read(answer.nextCursor);
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is meant to be awaited
  then<A = Answer, B = never>(
    onAnswer?: ((answer: Answer) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page().then(onAnswer, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Answer | B> {
    return this.#page().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Answer> {
    return this.#page().finally(onEnd);
  }
}
