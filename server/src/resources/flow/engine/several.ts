import type { RowOf } from '../../../db/schema.ts';
import { after, type Position, stepAt } from '../../../flows/position.ts';
import { type Filled, type Step, type StepType, typeOf, type Writing } from '../../../flows/steps.ts';
import type { Values } from '../../../flows/template.ts';
import type { Work } from '../../../operations/work.ts';
import { branchOf, eachOf } from './inner.ts';
import { fill } from './values.ts';

type Run = RowOf<'flowRun'>;

/** A type of step that neither sends a request nor pauses. */
type Written = Extract<StepType, { does: 'write' } | { does: 'compute' } | { does: 'branch' | 'each' }>;

const written: ReadonlySet<string> = new Set(['write', 'compute', 'branch', 'each']);

/**
 * Whether steps of this type can share a write with other steps, because they neither send a request nor
 * pause.
 */
export const isWritten = (type: StepType): type is Written => written.has(type.does);

/** A step with its templates resolved. */
export interface Prepared {
  input: unknown;
  /** Executes the step in a write. Returns its output. */
  act(work: Work, writing: Writing): Promise<object>;
  /** The position of the step's first nested step to execute. */
  inside?: Position | undefined;
  /** The items of an `each` step. */
  items?: readonly unknown[];
}

/** Resolves the templates of a step. Throws StepFailure. */
export function prepared(step: Step, type: Written, values: Values, position: Position): Prepared {
  if (type.does === 'branch') {
    const { output, inside } = branchOf(step, values, position);
    return { input: { where: step.where }, act: async () => output, inside };
  }
  const input: Filled = fill(step, type, values);
  if (type.does === 'write') return { input, act: (_, writing) => type.run(writing, input) };
  if (type.does === 'compute') return { input, act: async () => type.run(input) };
  const { output, ...each } = eachOf(step, input, position);
  return { input, act: async () => output, ...each };
}

/** Returns the state of the run after its next step was executed. */
export function advanced(run: Run, { inside, items }: Pick<Prepared, 'inside' | 'items'> = {}): Run {
  const position = inside ?? nextOf(run, run.position as string);
  return { ...run, position, attempt: 0, executed: run.executed + 1, ...(items && { items }) };
}

/**
 * Returns the number of writes among the next `most` steps, up to the first step that branches, loops, pauses
 * or sends a request.
 */
export function writesAhead(run: Run, most: number): number {
  let writes = 0;
  let { position } = run;
  for (let steps = 0; steps < most && position !== null; steps++) {
    const { does } = typeOf(stepAt(run.steps as Step[], position) as Step);
    if (does === 'write') writes++;
    else if (does !== 'compute') break;
    position = nextOf(run, position);
  }
  return writes;
}

const nextOf = ({ steps, items }: Run, position: Position): Position | null =>
  after(steps as Step[], position, (items as unknown[] | null)?.length ?? 0);
