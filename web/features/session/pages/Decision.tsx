import { type ReactNode, useState } from 'react';
import { session as t } from '../../../strings/en/session.ts';
import { Button, ErrorText, Icon } from '../../../ui/index.ts';
import { Gate } from './Gate.tsx';

interface DecisionProps {
  title: string;
  lead: string;
  /** The app's unverified claims about itself, as labels and values. */
  facts: readonly (readonly [string, string])[];
  warning: string;
  /** The user's choices. */
  children?: ReactNode;
  onApprove: () => Promise<unknown>;
  onDeny: () => Promise<unknown>;
}

/** Asks whether an app may act as the user. Deny comes first, because it is the safe choice. */
export function Decision({ title, lead, facts, warning, children, onApprove, onDeny }: DecisionProps) {
  const [busy, setBusy] = useState<'approve' | 'deny'>();
  const [error, setError] = useState<unknown>();
  async function answer(kind: 'approve' | 'deny', act: () => Promise<unknown>): Promise<void> {
    setBusy(kind);
    setError(undefined);
    try {
      await act();
    } catch (reason) {
      setError(reason);
    }
    setBusy(undefined);
  }
  return (
    <Gate title={title} lead={lead} icon="plug">
      <dl className="gate-facts">
        {facts.map(([word, value]) => (
          <div key={word} className="gate-fact">
            <dt>{word}</dt>
            <dd className={word === t.device.code ? 'gate-code' : undefined}>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {children}
      <p className="small gate-warning">
        <Icon name="triangle-alert" />
        <span>{warning}</span>
      </p>
      <ErrorText error={error} />
      <div className="gate-actions">
        <Button isWide isPending={busy === 'deny'} onClick={() => answer('deny', onDeny)}>
          {t.device.deny}
        </Button>
        <Button
          kind="main"
          isWide
          isPending={busy === 'approve'}
          onClick={() => answer('approve', onApprove)}
        >
          {t.device.approve}
        </Button>
      </div>
    </Gate>
  );
}
