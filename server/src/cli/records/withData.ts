import type { Config } from '../../config.ts';
import { type Data, openData } from '../../node/data.ts';

/**
 * Opens the data for `use`, then closes it. The data must exist, unless `makes` is set. Throws StorageError,
 * or the error from `use`.
 */
export async function withData<T>(
  config: Config,
  use: (data: Data) => Promise<T>,
  makes = false,
): Promise<T> {
  const data = await openData(config, undefined, { existing: !makes });
  try {
    return await use(data);
  } finally {
    await data.db.close();
  }
}
