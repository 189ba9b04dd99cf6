import { type CommandGroup, command, json } from '../command.ts';
import { changing, listing, making } from '../records/run.ts';

export const holdCommands: CommandGroup = {
  name: 'hold',
  about: 'Legal holds, which keep deleted messages',
  commands: [
    command({
      usage: 'create',
      about: 'Create a legal hold on a server, or on a user or a channel in it',
      options: {
        ...json,
        '--server <id>': { needed: 'Server' },
        '--reason <text>': { needed: 'Reason, shown in the list of holds' },
        '--user <id>': 'Only messages by this user',
        '--channel <id>': 'Only messages in this channel',
        '--until <date>': 'End date, such as 2027-01-31 (default: none)',
      },
      run: making(async () => (await import('../records/hold.ts')).createHold),
    }),
    command({
      usage: 'list',
      about: 'List legal holds',
      options: json,
      run: listing(
        ['id', 'serverId', 'userId', 'channelId', 'channelName', 'reason', 'until', 'endedAt'],
        async () => (await import('../records/hold.ts')).listHolds,
      ),
    }),
    command({
      usage: 'messages <id>',
      about:
        'List the messages that a legal hold keeps, except direct messages; each use is recorded in the audit log',
      options: json,
      async run({ config }, id) {
        const [{ keptMessages }, { withData }] = await Promise.all([
          import('../records/hold.ts'),
          import('../records/withData.ts'),
        ]);
        return {
          record: await withData(config, (data) => keptMessages(data, id)),
          columns: ['id', 'channelName', 'creatorId', 'createdAt', 'deletedAt', 'content'],
        };
      },
    }),
    command({
      usage: 'end <id>',
      about: 'End a legal hold; messages kept only by this hold are then deleted',
      options: json,
      run: changing(async () => (await import('../records/hold.ts')).endHold),
    }),
  ],
};
