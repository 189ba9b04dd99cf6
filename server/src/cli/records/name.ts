import { CommandError } from '../commandError.ts';

const MAX_CHARACTERS = 100;

/** The problem with a name; undefined if it is valid or undefined. */
export const nameProblem = (name: string | undefined): string | undefined =>
  name !== undefined && (name.trim() === '' || [...name].length > MAX_CHARACTERS)
    ? `name: must have 1 to ${MAX_CHARACTERS} characters`
    : undefined;

/** Throws CommandError if a given name is invalid. */
export function requireName(name: string | undefined): void {
  const problem = nameProblem(name);
  if (problem) throw new CommandError(problem);
}
