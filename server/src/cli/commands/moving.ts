import { remoteFrom } from '../../config/environment.ts';
import { command, json } from '../command.ts';
import { remoteOf, remoteOptions } from '../remote/remote.ts';
import { onTerminal } from '../terminal.ts';

/** Whether to import through a running server. `--data` and `--database` take precedence over PALAVER_KEY. */
const isRemote = (given: { url?: string; key?: string; data?: string; database?: string }): boolean =>
  given.url !== undefined ||
  given.key !== undefined ||
  (given.data === undefined && given.database === undefined && remoteFrom().key !== undefined);

export const importCommand = command({
  usage: 'import <path>',
  about:
    "Import history from another product or from a Palaver export. With a platform admin's key, it goes through a running server; without a key, it is written directly to the data of a stopped server",
  options: {
    ...remoteOptions,
    ...json,
    '--from <source>': { needed: 'slack, discord, mattermost, zulip, rocketchat or palaver' },
    '--server <id>': 'Server to import into',
    '--new-server <name>': 'Create a server with this name instead',
    '--owner <username>': 'Owner of the new server',
    '--dry-run': 'Only report what an import would do',
  },
  async run({ config, given }, path) {
    const { importArchive, linesOfReport } = await import('../moving/import.ts');
    const { report, isAsPlanned } = await onTerminal(async (tell) => {
      if (isRemote(given)) {
        const { importRemotely } = await import('../remote/import.ts');
        return importRemotely(remoteOf(given), path, given, tell);
      }
      const { withData } = await import('../records/withData.ts');
      return withData(config, (data) => importArchive({ data, config }, path, given, tell));
    });
    const problem = 'the import differs from its dry run: compare this report with that of --dry-run';
    return { record: report, lines: linesOfReport(report), ...(!isAsPlanned && { problem }) };
  },
});

export const exportCommand = command({
  usage: 'export <dir>',
  about: 'Export a server, a channel or the data of a person to a folder, even while the server is running',
  options: {
    ...json,
    '--server <id>': 'Server',
    '--channel <id>': 'Export only this channel',
    '--user <username>': 'Export the data of this person instead of a server',
  },
  async run({ config, given }, dir) {
    const [{ exportFolder }, { withData }] = await Promise.all([
      import('../moving/export.ts'),
      import('../records/withData.ts'),
    ]);
    const { folder, counts } = await onTerminal((tell) =>
      withData(config, (data) => exportFolder(data, dir, given, tell)),
    );
    return {
      record: { folder, counts },
      lines: [`folder ${folder}`, ...Object.entries(counts).map(([kind, count]) => `${kind} ${count}`)],
    };
  },
});
