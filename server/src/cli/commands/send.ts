import { json, unconfigured } from '../command.ts';
import { CommandError } from '../commandError.ts';
import { remoteOf, remoteOptions } from '../remote/remote.ts';
import { onTerminal } from '../terminal.ts';

export const sendCommand = unconfigured({
  usage: 'send [text]',
  about: 'Send a message through a running server; without a text, that of standard input',
  options: {
    ...remoteOptions,
    '--channel <id>': { needed: 'Its channel' },
    '--idempotency-key <key>':
      'The same for each try of one message, so that it is sent once; random if left out',
    ...json,
  },
  async run({ given }, text) {
    const remote = remoteOf(given);
    const { send, textFromInput } = await import('../remote/send.ts');
    const content = text ?? (await textFromInput());
    if (content === '') throw new CommandError('there is no text: give one, or write it to standard input');
    const record = await onTerminal((tell) => send(remote, given, content, tell));
    return { record, lines: [record.id] };
  },
});
