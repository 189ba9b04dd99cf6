import { useState } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { type Draft, draftOf, stepsOf } from './draft.ts';
import { JsonValueField } from './JsonValueField.tsx';

interface JsonTabProps {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  isDisabled: boolean;
}

/** The trigger and the steps as JSON in the API's format. */
export function JsonTab({ draft, onDraft, isDisabled }: JsonTabProps) {
  const [first] = useState(() => ({ trigger: draft.trigger, steps: stepsOf(draft.steps) }));
  const [isWrong, setWrong] = useState(false);
  function put(value: unknown): void {
    const { trigger, steps } = (value ?? {}) as { trigger?: unknown; steps?: unknown };
    const isWhole = typeof trigger === 'object' && trigger !== null && Array.isArray(steps);
    setWrong(!isWhole);
    if (isWhole) onDraft(draftOf({ trigger, steps }));
  }
  return (
    <JsonValueField
      name="json"
      label={t.json}
      hint={isWrong ? t.jsonShape : t.jsonMore}
      value={first}
      onValue={put}
      isDisabled={isDisabled}
      rows={16}
    />
  );
}
