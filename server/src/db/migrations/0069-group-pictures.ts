import type { ColumnTypes } from '../migrate.ts';

/** Uploaded pictures of direct messages are deleted when they are replaced, and with the direct message. */
export default (t: ColumnTypes): string[] => {
  const replaced = ['delete from picture where address = old.image and "serverId" = old."serverId"'];
  return [...t.afterChange('channel', 'image', replaced), ...t.afterDelete('channel', replaced)];
};

export const isBackwardCompatible = true;
