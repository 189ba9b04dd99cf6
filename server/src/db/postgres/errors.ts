import { StorageError, StorageFull, Unavailable, UniqueViolation } from '../contract.ts';

/**
 * Thrown if the connection was lost, or if its server does not accept writes. The caller can retry on another
 * connection.
 */
export class ConnectionLost extends Unavailable {}

/** Thrown if the transaction conflicted with another one. The caller can retry it. */
export class Conflict extends Error {}

/**
 * Thrown if a prepared statement no longer matches the schema. The caller can retry the statement or its
 * transaction.
 */
export class StalePlan extends Conflict {}

/** Thrown if waiting for a lock timed out. The transaction was rolled back. */
export class Locked extends Unavailable {}

/** Whether the same statement, or its whole transaction, may succeed if retried. */
export const isWorthTrying = (error: unknown): error is Error =>
  error instanceof Conflict || error instanceof ConnectionLost || error instanceof Locked;

/** Thrown if a statement was cancelled by its timeout. */
export class TookTooLong extends StorageError {}

/** Unique indexes that only concurrent writers can violate. The second of two writers retries. */
const contested: ReadonlySet<string> = new Set(['event(logId,seq)', 'idempotency(scope)']);

/**
 * Translates errors from PostgreSQL (its manual, appendix A) and from the socket to those in `contract.ts`
 * and this file.
 */
export function nameError(error: unknown): Error {
  const { code, detail, message, syscall, table } = error as {
    code?: string;
    detail?: string;
    message: string;
    syscall?: string;
    table?: string;
  };
  // The socket's code EPIPE looks like a PostgreSQL code.
  if (code === undefined || syscall !== undefined || !/^[0-9A-Z]{5}$/.test(code)) {
    // pg's own errors have no code, so errors about the connection are recognized by their message.
    return code === undefined && !isOfConnection(message) ? (error as Error) : lost(message);
  }
  if (code === '23505') return uniqueViolation(table, detail);
  if (code === '40001' || code === '40P01') return new Conflict(message);
  if (code === '0A000' && message.includes('cached plan')) return new StalePlan(message);
  // 25006 means that the server has become a standby; 25P03 and 25P04, that this process was suspended within
  // a transaction.
  if (/^(08|57P|25P0[34])/.test(code) || code === '25006') return lost(message);
  if (code === '57014') return new TookTooLong('PostgreSQL cancelled a statement that took too long');
  if (code === '55P03') return new Locked('PostgreSQL waited too long for a lock');
  if (code === '53100') return new StorageFull('the disk of PostgreSQL is full and this write was not saved');
  if (code === '53300')
    return new Unavailable(
      'PostgreSQL has no free connections: raise max_connections or lower PALAVER_CONNECTIONS',
    );
  if (code.startsWith('53') || code.startsWith('58') || code === 'XX001' || code === 'XX002') {
    return new StorageError(`PostgreSQL is out of resources or damaged: ${message}`);
  }
  if (code.startsWith('28') || code === '3D000' || code === '42501') {
    return new StorageError(`PostgreSQL refused access: ${message}`);
  }
  return error as Error;
}

const isOfConnection = (message: string): boolean =>
  /connection|terminated|not queryable|timeout|SSL/i.test(message);

const lost = (message: string): ConnectionLost =>
  new ConnectionLost(`PostgreSQL cannot be reached: ${message}`);

function uniqueViolation(table = '', detail = ''): Error {
  const columns = /\((.*?)\)=/.exec(detail)?.[1] ?? '';
  const index = `${table}(${columns.replaceAll('"', '').replaceAll(' ', '')})`;
  return contested.has(index) ? new Conflict(`taken: ${index}`) : new UniqueViolation(index);
}
