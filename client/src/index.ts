/** The Palaver client. Start with `createPalaver`. */
export type { CallOptions, Calls, PeopleCalls, Records } from './calls.ts';
export { type ErrorCode, PalaverError, type Problem } from './error.ts';
export type { EventOptions, EventType, PalaverEvent, Reset } from './event.ts';
export type { ByteRange, FileCalls, MessageWithFiles } from './files.ts';
export type { components, operations, paths } from './generated/schema.ts';
export type { List, Page } from './list.ts';
export {
  type ChannelView,
  type Facts,
  type Flag,
  may,
  type Operation,
  type Permission,
  type Standing,
  type Target,
} from './may.ts';
export { createPalaver, type Palaver, type PalaverOptions } from './palaver.ts';
export { type Person, type PersonOptions, personIn } from './person.ts';
export { type StreamedFields, StreamedMessage, streamMessage } from './streamed.ts';
