import { late } from '../../ui/late.tsx';

/** Creates links that let imported people claim their account. For platform admins. */
export const ClaimLinks = late(() => import('./ClaimLinks.tsx'));
