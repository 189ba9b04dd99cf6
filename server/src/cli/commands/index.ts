import type { Command, CommandGroup } from '../command.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { configCommand } from './config.ts';
import { doctorCommand } from './doctor.ts';
import { flowCommands } from './flow.ts';
import { keyCommands } from './key.ts';
import { memberCommands } from './member.ts';
import { migrateCommand } from './migrate.ts';
import { restoreCommand } from './restore.ts';
import { secretCommands } from './secret.ts';
import { serverCommands } from './server.ts';
import { startCommand } from './start.ts';
import { userCommands } from './user.ts';

/** All commands, in the order of `palaver --help`. */
export const commands: readonly (Command | CommandGroup)[] = [
  startCommand,
  userCommands,
  serverCommands,
  memberCommands,
  keyCommands,
  flowCommands,
  secretCommands,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
  configCommand,
  auditCommand,
];
