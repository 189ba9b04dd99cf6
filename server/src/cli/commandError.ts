/** Thrown by a command that fails. The message is a single line for the operator. */
export class CommandError extends Error {}
