// The reply to which a link beside the conversation leads: the address has room for messages of the channel alone.

let target: { threadId: string; messageId: string } | undefined;

/** The thread that opens next shows this reply. */
export function setTarget(threadId: string, messageId: string): void {
  target = { threadId, messageId };
}

/** The reply to show in a thread that opens now. */
export function takeTarget(threadId: string): string | undefined {
  return target?.threadId === threadId ? target.messageId : undefined;
}
