import type { Commands } from '../command.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { doctorCommand } from './doctor.ts';
import { flowCommands } from './flow.ts';
import { holdCommands } from './hold.ts';
import { keyCommands } from './key.ts';
import { mailCommands } from './mail.ts';
import { memberCommands } from './member.ts';
import { migrateCommand } from './migrate.ts';
import { exportCommand, importCommand } from './moving.ts';
import { restoreCommand } from './restore.ts';
import { secretCommands } from './secret.ts';
import { sendCommand } from './send.ts';
import { serverCommands } from './server.ts';
import { startCommand } from './start.ts';
import { tailCommand } from './tail.ts';
import { userCommands } from './user.ts';

/** All commands, in the order of `palaver --help`. */
export const commands: Commands = [
  startCommand,
  sendCommand,
  tailCommand,
  userCommands,
  serverCommands,
  memberCommands,
  keyCommands,
  flowCommands,
  holdCommands,
  secretCommands,
  mailCommands,
  backupCommand,
  restoreCommand,
  importCommand,
  exportCommand,
  migrateCommand,
  doctorCommand,
  configCommand,
  auditCommand,
  completionCommand,
];
