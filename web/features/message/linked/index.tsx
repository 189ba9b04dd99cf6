import { lazy, Suspense } from 'react';
import { siteAddress } from '../../../api/base.ts';

const Previews = lazy(() => import('./LinkedMessages.tsx'));

/** Previews of the messages of this server that a text links to. */
export const LinkedMessages = ({ content }: { content: string }) =>
  content.includes(`${siteAddress()}/s/`) ? (
    <Suspense fallback={null}>
      <Previews content={content} />
    </Suspense>
  ) : null;
