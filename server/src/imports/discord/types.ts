import { JOIN_LINE, type Loose, sourceIdOf } from '../reading/loose.ts';

// The types of messages. Exports contain them as names or, if the exporter does not know them, as numbers.

const JOIN = /^(?:Recipient(?:Add|Remove)|GuildMemberJoin|7)$/;
/** Matches the type of a message that copies a thread's root message. */
const COPY = /^(?:ThreadStarterMessage|21)$/;
const REPLY = /^(?:Reply|19)$/;
/** Matches the types of messages from people and apps. All other types are system messages. */
const WRITTEN = /^(?:Default|Reply|ChatInputCommand|ContextMenuCommand|20|23)$/;

/** Returns why an entry is not counted as a message; undefined for messages. */
export function omissionOf({ type }: Loose): string | undefined {
  if (JOIN.test(sourceIdOf(type))) return JOIN_LINE;
  return COPY.test(sourceIdOf(type)) ? 'repeats the start of a thread' : undefined;
}

export const isReplyType = ({ type }: Loose): boolean => REPLY.test(sourceIdOf(type));

export const isWritten = ({ type }: Loose): boolean => WRITTEN.test(sourceIdOf(type));
