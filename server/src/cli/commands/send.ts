import { json, unconfigured } from '../command.ts';
import { CommandError } from '../commandError.ts';
import { remoteOf, remoteOptions } from '../remote/remote.ts';
import { onTerminal } from '../terminal.ts';

export const sendCommand = unconfigured({
  usage: 'send [text]',
  about: 'Send a message through a running server; reads standard input if there is no text',
  options: {
    ...remoteOptions,
    '--channel <id>': { needed: 'Channel' },
    '--idempotency-key <key>':
      'Reuse it when you retry, to avoid sending the message twice (default: random)',
    ...json,
  },
  async run({ given }, text) {
    const remote = remoteOf(given);
    const { send, textFromInput } = await import('../remote/send.ts');
    const content = text ?? (await textFromInput());
    if (content === '') throw new CommandError('no text: pass it as an argument or on standard input');
    const record = await onTerminal((tell) => send(remote, given, content, tell));
    return { record, lines: [record.id] };
  },
});
