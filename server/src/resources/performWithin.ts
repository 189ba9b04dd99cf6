import { perform } from '../operations/perform.ts';
import type { Services } from '../operations/services.ts';
import type { WriteOperation } from '../operations/write.ts';
import { named } from './index.ts';

/** See `Services.performWithin`. */
export async function performWithin(
  services: Services,
  ...[within, caller, name, input]: Parameters<Services['performWithin']>
): Promise<object> {
  const { data } = await perform(services, named<WriteOperation>(name), caller, input, { within });
  return data as object;
}
