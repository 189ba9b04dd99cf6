import { unconfigured } from '../command.ts';
import { remoteOf, remoteOptions } from '../remote/remote.ts';

export const tailCommand = unconfigured({
  usage: 'tail',
  about: 'Follow the events of a running server, or of one channel, until it is interrupted',
  options: {
    ...remoteOptions,
    '--channel <id>': 'Only events of this channel',
    '--types <a,b>': 'Only these types, such as message.* or pin.created',
    '--after <id>': 'Begin after this event; with the next one if left out',
    '--json': 'JSON lines on a terminal too',
  },
  async run({ given }) {
    const remote = remoteOf(given);
    const { tail } = await import('../remote/tail.ts');
    return tail(remote, given);
  },
});
