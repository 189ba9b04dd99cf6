import { StorageError, Unavailable, UniqueViolation } from '../contract.ts';

/** The connection is gone, or leads to a server that takes no writes: what was under way is to be tried on another. */
export class ConnectionLost extends Unavailable {}

/** The transaction met another one and is to be run again. */
export class Conflict extends Error {}

/** Unique indexes that only writers at the same moment can meet at: whoever comes second tries again. */
const contested: ReadonlySet<string> = new Set(['event(logId,seq)', 'idempotency(scope)']);

/** Gives errors of PostgreSQL (its appendix A) and of the socket our names. */
export function nameError(error: unknown): Error {
  const { code, detail, message, syscall, table } = error as {
    code?: string;
    detail?: string;
    message: string;
    syscall?: string;
    table?: string;
  };
  // The socket's EPIPE looks like a code of PostgreSQL.
  if (code === undefined || syscall !== undefined || !/^[0-9A-Z]{5}$/.test(code)) {
    // What pg itself throws has no code: all of it is about the connection.
    return code === undefined && !isOfConnection(message) ? (error as Error) : lost(message);
  }
  if (code === '23505') return uniqueViolation(table, detail);
  if (code === '40001' || code === '40P01') return new Conflict(message);
  // 25006: it has become a standby. 0A000 with a cached plan: another node has changed the schema.
  if (/^(08|57P)/.test(code) || code === '25006' || (code === '0A000' && message.includes('cached plan'))) {
    return lost(message);
  }
  if (code === '57014') return new StorageError('PostgreSQL took too long for a statement and gave it up');
  if (code === '55P03') return new Unavailable('PostgreSQL was waiting for a lock for too long');
  if (code === '53100')
    return new StorageError('the disk of PostgreSQL is full: nothing of this write was kept');
  if (code === '53300') return new Unavailable('PostgreSQL takes no more connections: raise max_connections');
  if (code.startsWith('53') || code.startsWith('58') || code === 'XX001' || code === 'XX002') {
    return new StorageError(`PostgreSQL cannot go on: ${message}`);
  }
  if (code.startsWith('28') || code === '3D000' || code === '42501') {
    return new StorageError(`PostgreSQL refuses: ${message}`);
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
