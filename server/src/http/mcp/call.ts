import type { Caller } from '../../access/authenticator.ts';
import { ApiError, type Problem } from '../../errors.ts';
import { textOf } from '../../operations/answer.ts';
import type { FollowOperation } from '../../operations/follow.ts';
import { idempotencyKey } from '../../operations/idempotency.ts';
import { type Operation, perform } from '../../operations/perform.ts';
import type { ReadOperation } from '../../operations/read.ts';
import type { Services } from '../../operations/services.ts';
import type { WriteOperation } from '../../operations/write.ts';
import { waitedFor, waitForEvents } from './events.ts';
import { type Users, usersFrom } from './lines.ts';
import { reads } from './reads.ts';
import {
  type Arguments,
  type Calling,
  type Found,
  listedTool,
  problemWith,
  type Shown,
  type Tool,
} from './tool.ts';
import { writes } from './writes.ts';

const tools: readonly Tool[] = [...reads, ...writes];
const byName = new Map(tools.map((tool) => [tool.name, tool]));

export const listedTools: readonly object[] = [...tools, waitForEvents as Tool].map(listedTool);

export const isTool = (name: string): boolean => byName.has(name) || name === waitForEvents.name;

/**
 * Calls a tool. The call counts towards the rate limit of its operation. The model gets the operation's
 * errors, with a hint on how to proceed.
 */
export async function callTool(
  calling: Calling,
  operations: ReadonlyMap<string, Operation>,
  name: string,
  args: Arguments,
): Promise<object> {
  const tool = byName.get(name) ?? (waitForEvents as Tool);
  try {
    const problem = problemWith(tool, args);
    const operationName = typeof tool.operation === 'string' ? tool.operation : tool.operation(args);
    const operation = operations.get(operationName) as Operation;
    await calling.count(operation.kind);
    if (problem !== undefined) return failed(`INVALID_REQUEST: ${problem}.`);
    const { lines, structured } =
      operation.does === 'follow'
        ? await waitedFor(calling, operation as FollowOperation, args)
        : await performed(calling, operation as ReadOperation | WriteOperation, tool, args);
    return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: structured };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return failed(`${error.code}: ${error.message}. ${nextStep(error, args)}`.trim());
  }
}

const failed = (text: string): object => ({ content: [{ type: 'text', text }], isError: true });

async function performed(
  { services, caller, count }: Calling,
  operation: ReadOperation | WriteOperation,
  tool: Tool,
  args: Arguments,
): Promise<Shown> {
  const key = idempotencyKey(args.requestKey?.toString());
  const input = await tool.input(args, caller, services);
  const list = operation.does === 'read' ? operation.list : undefined;
  const ask = async (cursor?: string | null) => {
    const query = { ...input.query, ...(cursor && { cursor }) };
    const answer = await perform(services, operation, caller, { ...input, query }, { key });
    return JSON.parse(String(textOf(operation.answer, list, answer)));
  };
  let { data, nextCursor: next = null } = await ask();
  for (let page = 1; page < (tool.pages ?? 1) && next !== null; page++) {
    await count(operation.kind);
    const further = await ask(next);
    data = [...data, ...further.data];
    next = further.nextCursor;
  }
  return tool.show({ data, next, args, users: await usersOf(services, caller, data) });
}

/** A record with its author, if it has one. */
interface Created {
  creatorId?: string | null;
}

async function usersOf(services: Services, caller: Caller, data: Found['data']): Promise<Users> {
  const records: readonly Created[] = Array.isArray(data) ? data : [data, ...(data.messages ?? [])];
  const userIds = new Set(records.flatMap(({ creatorId }) => creatorId ?? []));
  return usersFrom(await services.usersBeside(services.db.read, caller.principal, [...userIds]));
}

/** Suggests the next step after an error. */
function nextStep({ code, details, headers }: ApiError, args: Arguments): string {
  switch (code) {
    case 'FORBIDDEN':
      return 'Do not try again. Tell the person which permission is missing, so that an admin of the server can grant it.';
    case 'NOT_FOUND':
      return 'Take ids from list_channels, read_channel, search or list_members. The record may also have been deleted.';
    case 'ALREADY_EXISTS':
      return 'Nothing is left to do.';
    case 'RATE_LIMITED': {
      const again = args.requestKey === undefined ? '' : ' and the same requestKey';
      return `Wait ${headers['retry-after'] ?? 5} seconds, then call again with the same arguments${again}.`;
    }
    default: {
      const [problem] = (details ?? []) as readonly Problem[];
      if (problem?.reason === 'key_reused') return 'Use a new requestKey for a new message.';
      if (problem?.cursor !== undefined) return `Continue with after=${problem.cursor}.`;
      return 'Correct the arguments, and call again.';
    }
  }
}
