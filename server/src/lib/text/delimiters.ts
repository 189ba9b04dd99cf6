import { characterAt, characterBefore } from './scripts.ts';

/** A run of marks that may start or end an emphasis, such as `**`. */
export interface Run {
  mark: '*' | '_' | '~' | '|';
  size: number;
  /** The number of marks that have not been paired yet. */
  left: number;
  canOpen: boolean;
  canClose: boolean;
  order: number;
  before: Run | undefined;
  after: Run | undefined;
  /** The spans that the run starts, from the inside out, and the number of spans that it ends. */
  opens: Span[];
  closes: number;
}

type Span = 'emphasis' | 'strong' | 'strike' | 'spoiler';

const isBlank = (character: string): boolean => character === '' || /\s/u.test(character);
const isPunctuation = (character: string): boolean => /[\p{P}\p{S}]/u.test(character);

/** Returns the delimiter run at this position; undefined if its marks are text. */
function runAt(text: string, at: number, order: number): Run | undefined {
  const mark = text[at] as Run['mark'];
  let end = at;
  while (text[end] === mark) end += 1;
  const size = end - at;
  if ((mark === '~' && size > 2) || (mark === '|' && size !== 2)) return undefined;
  const before = characterBefore(text, at);
  const after = characterAt(text, end);
  const [blankBefore, blankAfter] = [isBlank(before), isBlank(after)];
  const [markBefore, markAfter] = [isPunctuation(before), isPunctuation(after)];
  const isLeft = !blankAfter && (mark === '|' || !markAfter || blankBefore || markBefore);
  const isRight = !blankBefore && (mark === '|' || !markBefore || blankAfter || markAfter);
  const canOpen = mark === '_' ? isLeft && (!isRight || markBefore) : isLeft;
  const canClose = mark === '_' ? isRight && (!isLeft || markAfter) : isRight;
  if (!(canOpen || canClose)) return undefined;
  return {
    mark,
    size,
    left: size,
    canOpen,
    canClose,
    order,
    before: undefined,
    after: undefined,
    opens: [],
    closes: 0,
  };
}

/** The unpaired runs of a text, in order. */
export class Runs {
  last: Run | undefined;
  #count = 0;

  add(text: string, at: number): Run | undefined {
    this.#count += 1;
    const run = runAt(text, at, this.#count);
    if (!run) return undefined;
    run.before = this.last;
    if (this.last) this.last.after = run;
    this.last = run;
    return run;
  }

  #remove({ before, after }: Run): void {
    if (before) before.after = after;
    if (after) after.before = before;
    else this.last = before;
  }

  /**
   * Pairs the runs after `bottom`, and removes them. Takes linear time: failed searches for an opener are
   * cached for each kind of closer.
   */
  pair(bottom: Run | undefined): void {
    const floors = new Map<string, number>();
    let closer = this.last;
    while (closer && closer.before !== bottom) closer = closer.before;
    while (closer) {
      const next: Run | undefined = closer.after;
      if (!closer.canClose) {
        closer = next;
        continue;
      }
      const kind = kindOf(closer);
      const opener = openerOf(closer, Math.max(floors.get(kind) ?? 0, bottom?.order ?? 0));
      if (!opener) {
        floors.set(kind, closer.order - 1);
        if (!closer.canOpen) this.#remove(closer);
        closer = next;
        continue;
      }
      join(opener, closer);
      // The runs between the opener and the closer are text.
      opener.after = closer;
      closer.before = opener;
      if (opener.left === 0) this.#remove(opener);
      if (closer.left === 0) {
        this.#remove(closer);
        closer = next;
      }
    }
    this.last = bottom;
    if (bottom) bottom.after = undefined;
  }
}

/**
 * Returns the key for the cache of failed searches. Closers with the same key can match the same openers
 * (CommonMark's `openers_bottom`).
 */
const kindOf = ({ mark, left, size, canOpen }: Run): string =>
  mark === '~' ? `~${left}` : mark === '|' ? mark : `${mark}${size % 3}${canOpen}`;

function openerOf(closer: Run, floor: number): Run | undefined {
  for (let run = closer.before; run && run.order > floor; run = run.before)
    if (run.mark === closer.mark && run.canOpen && fits(run, closer)) return run;
  return undefined;
}

function fits(opener: Run, closer: Run): boolean {
  if (opener.mark === '~') return opener.left === closer.left;
  if (opener.mark === '|' || !(opener.canClose || closer.canOpen)) return true;
  return (opener.size + closer.size) % 3 !== 0 || (opener.size % 3 === 0 && closer.size % 3 === 0);
}

function join(opener: Run, closer: Run): void {
  const { mark } = opener;
  const isDouble = opener.left > 1 && closer.left > 1;
  const count = isDouble ? 2 : 1;
  opener.left -= count;
  closer.left -= count;
  opener.opens.push(mark === '~' ? 'strike' : mark === '|' ? 'spoiler' : isDouble ? 'strong' : 'emphasis');
  closer.closes += 1;
}
