import { command, json } from '../command.ts';
import { listing } from '../records/run.ts';

export const auditCommand = command({
  usage: 'audit',
  about: 'List the latest commands that changed data',
  options: json,
  run: listing(
    ['at', 'account', 'actorId', 'command', 'about'],
    async () => (await import('../records/listCommands.ts')).listCommands,
  ),
});
