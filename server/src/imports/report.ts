import { type Kind, kinds } from './row.ts';

/** The outcomes for rows of one kind. `found` is the sum of the next three fields. */
export interface Counts {
  found: number;
  written: number;
  /** Rows that already exist: from an earlier import, or as a member or a channel with the same name. */
  present: number;
  lost: number;
  /** The reasons why rows were lost or changed, most frequent first. */
  reasons: { reason: string; count: number }[];
}

/** The report of an import or of its dry run, as `--json` prints it. */
export type Report = { server: string } & Record<Kind, Counts>;

/** Maximum different reasons per kind; further ones count as `other reasons`. */
const MAX_REASONS = 50;

/** Counts the outcomes of an import. */
export class Tally {
  readonly #counts = new Map<Kind, Counts>();
  readonly #reasons = new Map<Kind, Map<string, number>>();

  constructor() {
    for (const kind of kinds) {
      this.#counts.set(kind, { found: 0, written: 0, present: 0, lost: 0, reasons: [] });
      this.#reasons.set(kind, new Map());
    }
  }

  #of(kind: Kind): Counts {
    return this.#counts.get(kind) as Counts;
  }

  written(kind: Kind, count = 1): void {
    const counts = this.#of(kind);
    counts.found += count;
    counts.written += count;
  }

  present(kind: Kind, count = 1): void {
    const counts = this.#of(kind);
    counts.found += count;
    counts.present += count;
  }

  lost(kind: Kind, reason: string, count = 1): void {
    const counts = this.#of(kind);
    counts.found += count;
    counts.lost += count;
    this.note(kind, reason, count);
  }

  /** Adds a reason without changing the counts. */
  note(kind: Kind, reason: string, count = 1): void {
    const reasons = this.#reasons.get(kind) as Map<string, number>;
    const shown = reasons.has(reason) || reasons.size < MAX_REASONS ? reason : 'other reasons';
    reasons.set(shown, (reasons.get(shown) ?? 0) + count);
  }

  /** Counts a row as one of its original kind, although it was written as another kind. */
  move(from: Kind, to: Kind, outcome: 'written' | 'present'): void {
    this.#of(from).found--;
    this.#of(from)[outcome]--;
    this[outcome](to);
  }

  countsOf(kind: Kind): Readonly<Counts> {
    return this.#of(kind);
  }

  report(server: string): Report {
    const entries = kinds.map((kind) => {
      const reasons = [...(this.#reasons.get(kind) as Map<string, number>)]
        .map(([reason, count]) => ({ reason, count }))
        .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
      return [kind, { ...this.#of(kind), reasons }];
    });
    return { server, ...Object.fromEntries(entries) };
  }
}
