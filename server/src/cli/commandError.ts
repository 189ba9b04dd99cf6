/** A command failed. The operator sees the message, a single line. */
export class CommandError extends Error {}
