import { Suspense } from 'react';
import { optional } from '../../ui/missingPart.ts';
import { useAccount } from './account.ts';
import { useQuestion } from './proof.ts';

const ProofDialog = optional(() => import('./ProofDialog.tsx'));

/** Renders the dialog of `withProof`. Rendered once, next to the pages. */
export function Proof() {
  const question = useQuestion();
  const account = useAccount();
  if (!question || account.state !== 'in') return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog me={account.me} onEnd={question.end} />
    </Suspense>
  );
}
