/** A command has failed. The operator sees the message, one line. */
export class CommandError extends Error {}
