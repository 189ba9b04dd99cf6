import { command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

export const importCommand = command({
  usage: 'import <path>',
  about: 'Import the history of a server from another product, or from an export of Palaver',
  options: {
    ...json,
    '--from <source>': { needed: 'slack, discord, mattermost, zulip, rocketchat or palaver' },
    '--server <id>': 'Server to import into',
    '--new-server <name>': 'Create a server with this name instead',
    '--owner <username>': 'Owner of the new server',
    '--dry-run': 'Only report what an import would do',
  },
  async run({ config, given }, path) {
    const [{ importArchive, linesOfReport }, { withData }] = await Promise.all([
      import('../moving/import.ts'),
      import('../records/withData.ts'),
    ]);
    const { report, isAsPlanned } = await onTerminal((tell) =>
      withData(config, (data) => importArchive({ data, config }, path, given, tell)),
    );
    const problem = 'the import differs from its dry run: compare this report with that of --dry-run';
    return { record: report, lines: linesOfReport(report), ...(!isAsPlanned && { problem }) };
  },
});

export const exportCommand = command({
  usage: 'export <dir>',
  about: 'Export a server or a channel to a folder; works while the server runs',
  options: {
    ...json,
    '--server <id>': { needed: 'Server' },
    '--channel <id>': 'Only this channel',
  },
  async run({ config, given }, dir) {
    const [{ exportServer }, { withData }] = await Promise.all([
      import('../moving/export.ts'),
      import('../records/withData.ts'),
    ]);
    const { folder, counts } = await onTerminal((tell) =>
      withData(config, (data) => exportServer(data, dir, given, tell)),
    );
    return {
      record: { folder, counts },
      lines: [`folder ${folder}`, ...Object.entries(counts).map(([kind, count]) => `${kind} ${count}`)],
    };
  },
});
