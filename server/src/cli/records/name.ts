import { nameProblem, storedName } from '../../lib/names.ts';
import { MAX_NAME_CHARACTERS } from '../../operations/fields.ts';
import { CommandError } from '../commandError.ts';

/** Normalizes a name for storage. Throws CommandError if it is invalid. */
export function nameFrom<T extends string | undefined>(given: T): T | string {
  if (given === undefined) return given;
  const name = storedName(given);
  const problem = nameProblem(name, MAX_NAME_CHARACTERS);
  if (problem) throw new CommandError(`name: ${problem.message}`);
  return name;
}
