/** The order of lists that begin with what was made last: identifiers begin with the time. */
export const byNewest = (one: { id: string }, other: { id: string }): number => (one.id > other.id ? -1 : 1);
