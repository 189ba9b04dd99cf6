import { late } from '../../ui/late.tsx';

/** Links with which imported people claim what is theirs, for platform admins. */
export const ClaimLinks = late(() => import('./ClaimLinks.tsx'));
