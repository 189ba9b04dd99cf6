import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { StorageError, Unavailable, UniqueViolation } from '../db/contract.ts';
import { ApiError } from '../errors.ts';
import { CommandError } from './commandError.ts';

/**
 * Returns the error line for a failed command, or the stack of an unexpected error. `args` is the command
 * line. Undefined after `--help` and `--version`.
 */
export async function complaintOf(error: unknown, args: readonly string[]): Promise<string | undefined> {
  if (!(error instanceof CommanderError)) return (await lineOf(error)) ?? (error as Error).stack;
  if (error.exitCode === 0) return undefined;
  const message =
    error.code === 'commander.help'
      ? `missing command. Run palaver ${args.join(' ')} --help to see the list`
      : error.message;
  return message.replace(/\s+/g, ' ');
}

async function lineOf(error: unknown): Promise<string | undefined> {
  if (error instanceof UniqueViolation) {
    // The tables are loaded on demand, so that commands that use no data start faster.
    const { conflicts } = await import('../operations/conflicts.ts');
    return conflicts[error.index] ?? 'this already exists';
  }
  if (error instanceof Unavailable)
    return `${error.message}: start PostgreSQL, or pass another address with --database`;
  const isExpected = [CommandError, ConfigError, StorageError, ApiError].some(
    (kind) => error instanceof kind,
  );
  if (isExpected) return (error as Error).message;
  const { code, message } = error as { code?: string; message: string };
  return code?.startsWith('E') ? message : undefined;
}
