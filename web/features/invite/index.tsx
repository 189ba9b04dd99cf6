import { lazy, Suspense } from 'react';
import type { InviteDialogProps } from './InviteDialog.tsx';

export { inviteLink } from './link.ts';

const Inner = lazy(() => import('./InviteDialog.tsx'));

/** Makes an invite, and shows its link. It is loaded when it is first opened. */
export const InviteDialog = (props: InviteDialogProps) => (
  <Suspense fallback={null}>
    <Inner {...props} />
  </Suspense>
);
