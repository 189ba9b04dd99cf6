import { Suspense } from 'react';
import { optional } from '../../ui/missingPart.ts';
import { useInvitations } from './useInvitations.ts';

// If the component cannot be loaded, the servers in the rail stay usable.
const All = optional(() => import('./Invitations.tsx'));

/**
 * The user's open invitations, for the rail. Most people have none, so the component is loaded only if
 * needed.
 */
export function Invitations() {
  const invitations = useInvitations();
  if (invitations.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <All of={invitations} />
    </Suspense>
  );
}
