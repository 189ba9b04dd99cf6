import type { Permission } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';

/** Whether the user may view installed apps and flows, for which the API requires `canViewData`. */
export function useSeesPrograms(serverId: string): Permission {
  const flags = useServer(serverId).state?.standing.flags ?? [];
  const allowed = flags.includes('canViewData');
  return { allowed, rule: '', message: '', need: allowed ? [] : ['canViewData'] };
}
