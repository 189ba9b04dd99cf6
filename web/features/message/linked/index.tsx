import { Suspense } from 'react';
import { siteAddress } from '../../../api/base.ts';
import { optional } from '../../../ui/missingPart.ts';

const Previews = optional(() => import('./LinkedMessages.tsx'));

/** Previews of the messages in this installation that the text links to. */
export const LinkedMessages = ({ content }: { content: string }) =>
  content.includes(`${siteAddress()}/s/`) ? (
    <Suspense fallback={null}>
      <Previews content={content} />
    </Suspense>
  ) : null;
