import type { Caller } from '../../../access/authenticator.ts';
import type { Writing } from '../../../flows/steps.ts';
import { perform } from '../../../operations/perform.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import type { WriteOperation } from '../../../operations/write.ts';
import { messageOperations } from '../../message/index.ts';
import { pinOperations } from '../../pin.ts';
import { reactionOperations } from '../../reaction.ts';
import { threadOperations } from '../../thread/index.ts';

const operations = new Map(
  [...messageOperations, ...pinOperations, ...reactionOperations, ...threadOperations].map((operation) => [
    operation.operation,
    operation,
  ]),
);

/** What a step of a flow may use in a write: operations, as the flow's agent. */
export const performIn = (services: Services, caller: Caller, work: Work): Writing => ({
  db: work.db,
  async perform(name, { params = {}, body }) {
    const operation = operations.get(name) as WriteOperation;
    const { data } = await perform(services, operation, caller, { params, body }, { within: work });
    return data as object;
  },
});
