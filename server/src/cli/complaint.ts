import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { StorageError, UniqueViolation } from '../db/contract.ts';
import { ApiError } from '../errors.ts';
import { CommandError } from './commandError.ts';

/** The line that says why a command failed, or the stack of a bug; undefined after `--help` and `--version`. */
export async function complaintOf(error: unknown): Promise<string | undefined> {
  if (!(error instanceof CommanderError)) return (await lineOf(error)) ?? (error as Error).stack;
  if (error.exitCode === 0) return undefined;
  const message = error.code === 'commander.help' ? 'name a command: see palaver --help' : error.message;
  return message.replace(/\s+/g, ' ');
}

async function lineOf(error: unknown): Promise<string | undefined> {
  if (error instanceof UniqueViolation) {
    // Loaded here: commands that never come to the data are quicker without its tables.
    const { conflicts } = await import('../operations/conflicts.ts');
    return conflicts[error.index] ?? 'this exists already';
  }
  const known = [CommandError, ConfigError, StorageError, ApiError].some((kind) => error instanceof kind);
  if (known) return (error as Error).message;
  const { code, message } = error as { code?: string; message: string };
  if (code === 'EADDRINUSE') return 'the port is taken: choose another with --port';
  return code?.startsWith('E') ? message : undefined;
}
