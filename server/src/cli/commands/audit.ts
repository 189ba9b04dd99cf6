import { command, json } from '../command.ts';
import { listing } from '../records/run.ts';

export const auditCommand = command({
  usage: 'audit',
  about: 'List the latest 1,000 entries of the audit log, oldest first',
  options: json,
  run: listing(
    ['at', 'account', 'actorId', 'command', 'about'],
    async () => (await import('../records/listCommands.ts')).listCommands,
  ),
});
