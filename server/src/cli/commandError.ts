/** A command that cannot be carried out; its message is the one line that the operator reads. */
export class CommandError extends Error {}
