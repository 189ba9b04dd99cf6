/** The error of a command that failed. The message is a single line for the operator. */
export class CommandError extends Error {}
