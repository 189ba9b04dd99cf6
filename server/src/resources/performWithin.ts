import { perform } from '../operations/perform.ts';
import type { Services } from '../operations/services.ts';
import type { WriteOperation } from '../operations/write.ts';
import { operations } from './index.ts';

const byName = new Map(operations.map((operation) => [operation.operation, operation]));

/** See `Services.performWithin`. */
export async function performWithin(
  services: Services,
  ...[within, caller, name, input]: Parameters<Services['performWithin']>
): Promise<object> {
  const { data } = await perform(services, byName.get(name) as WriteOperation, caller, input, { within });
  return data as object;
}
