import { invalid } from '../../../errors.ts';
import { act } from '../../../operations/act.ts';
import { body, flag, optional, text } from '../../../operations/fields.ts';
import { message as messageRecord, toMessage } from '../messageRecord.ts';
import { appended, MAX_TEXT, offset } from './deltaRecord.ts';
import { streamTarget } from './streamRow.ts';

const acts = () => import('./acts.ts');

const messageAppend = act({
  operation: 'messageAppend',
  method: 'POST',
  path: '/messages/:id/append',
  resource: 'messageDelta',
  verb: 'insert',
  summary: 'Append text to a streamed message',
  description:
    'Members who can see the channel get the text immediately, in the live event `messageDelta.appended`. If `offset` is not the length of the text so far, the error contains the correct offset. Sending the same text at the same offset again has no effect. A stream ends with `done`, or as `stopped` when someone stops it or after 60 seconds without an append. A message that is empty when its stream ends is deleted. Nobody is notified before the stream ends.',
  body: body({
    offset,
    text: text({
      max: MAX_TEXT,
      description: 'The text to append. It may be empty, to keep the stream open',
      examples: [' in the harbour'],
    }),
    done: optional(flag('Whether the message is complete')),
  }),
  examples: {
    Example: { offset: 12, text: ' in the harbour' },
    'The end': { offset: 27, text: '.', done: true },
  },
  answer: appended,
  target: (call, { params }) => streamTarget(call, params.id),
  async run(call, { params: { id }, body }, target) {
    return { data: await (await acts()).append(call, id, body, target) };
  },
});

const messageStop = act({
  operation: 'messageStop',
  method: 'POST',
  path: '/messages/:id/stop',
  resource: 'message',
  verb: 'insert',
  summary: 'Stop a streamed message',
  description:
    'Ends the stream and keeps the text so far. A message without text, files and blocks is deleted. Everyone who may send messages in the channel may stop a stream. The author gets the event `message.updated`, and further appends get INVALID_REQUEST with the reason `ended`. If the stream has already ended, nothing changes.',
  answer: messageRecord,
  target: (call, { params }) => streamTarget(call, params.id),
  async run(call, _input, { serverId, message, row }) {
    if (message.stream === null) throw invalid('wrong_kind', 'id', 'was not streamed');
    if (!row) return { data: toMessage(message) };
    return { data: await (await acts()).stop(call, serverId, row) };
  },
});

export const streamOperations = [messageAppend, messageStop];
