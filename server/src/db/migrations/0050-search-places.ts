import type { ColumnTypes } from '../migrate.ts';
import { restartIndex } from '../search/schema.ts';

/**
 * Rebuilds the message index. Its blocks now have keys for direct messages, so that a search skips other
 * users' direct messages. It is filled in the background.
 */
export default (t: ColumnTypes): string[] => restartIndex(t.dialect);

/** Earlier versions would add blocks without these keys. */
export const isBackwardCompatible = false;
