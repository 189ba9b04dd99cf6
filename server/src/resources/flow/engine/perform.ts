import type { Caller } from '../../../access/authenticator.ts';
import { q } from '../../../db/statements.ts';
import type { Writing } from '../../../flows/steps.ts';
import { isId } from '../../../lib/deps.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { callFlow, type Running } from './called.ts';
import { existingOf } from './failure.ts';

/** Returns the functions with which a step makes its changes, as the flow's agent. */
export function performIn(services: Services, caller: Caller, work: Work, run: Running): Writing {
  const performed: Writing['perform'] = (name, { params = {}, body }) =>
    services.performWithin(work, caller, name, { params, body });
  return {
    perform: performed,
    async roleOf(userId, roleId) {
      // Templates can produce any text, and PostgreSQL rejects ids that are not UUIDs.
      if (!isId(userId) || !isId(roleId)) return undefined;
      const rows = q.selectFrom('userRole').select('id').where('serverId', '=', run.serverId);
      return (await work.db.first(rows.where('userId', '=', userId).where('roleId', '=', roleId)))?.id;
    },
    async direct(userId) {
      const started = performed('conversationInsert', { body: { userIds: [userId] } });
      const channel = await started.catch(existingOf);
      return (channel as { id: string }).id;
    },
    call: (flowId, input) => callFlow(services, work, run, flowId, input),
  };
}
