import { unconfigured } from '../command.ts';
import { remoteOf, remoteOptions } from '../remote/remote.ts';

export const tailCommand = unconfigured({
  usage: 'tail',
  about: 'Follow the events of a running server, or of one channel, until interrupted',
  options: {
    ...remoteOptions,
    '--channel <id>': 'Only events of this channel',
    '--types <a,b>': 'Only these types, such as message.* or pin.created',
    '--after <id>': 'Start after this event (default: with the next event)',
    '--json': 'Print JSON Lines even on a terminal',
  },
  async run({ given }) {
    const remote = remoteOf(given);
    const { tail } = await import('../remote/tail.ts');
    return tail(remote, given);
  },
});
