import type { ColumnTypes } from '../migrate.ts';

/**
 * Deletes the uploaded picture of a direct message when it is replaced, or when the direct message is
 * deleted.
 */
export default (t: ColumnTypes): string[] => {
  const replaced = ['delete from picture where address = old.image and "serverId" = old."serverId"'];
  return [...t.afterChange('channel', 'image', replaced), ...t.afterDelete('channel', replaced)];
};

export const isBackwardCompatible = true;
