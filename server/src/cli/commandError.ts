/** A command failed. The operator sees the message, which is a single line. */
export class CommandError extends Error {}
