import { platformAppOperations } from './apps.ts';
import { platformAuditOperations } from './auditEntries.ts';
import { platformUserLinks } from './claimLinks.ts';
import { platformHealthOperations } from './health.ts';
import { platformHoldOperations } from './holds.ts';
import { platformServerOperations } from './servers.ts';
import { platformSettingOperations } from './settings.ts';
import { platformUserOperations } from './users.ts';

/** The operations for signed-in platform admins (docs/decisions/0063). */
export const platformOperations = [
  ...platformUserOperations,
  platformUserLinks,
  ...platformServerOperations,
  ...platformAppOperations,
  ...platformSettingOperations,
  ...platformHealthOperations,
  ...platformAuditOperations,
  ...platformHoldOperations,
];
