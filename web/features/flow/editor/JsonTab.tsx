import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { JsonField } from '../../settings/server/index.ts';
import { type Body, bodyOf, type Draft, draftOf, isFields } from './draft.ts';

interface JsonTabProps {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  isDisabled: boolean;
}

const isWhole = (value: unknown): value is Body =>
  isFields(value) && isFields(value.trigger) && Array.isArray(value.steps) && value.steps.every(isFields);

/** The trigger and the steps as JSON in the API's format. */
export function JsonTab({ draft, onDraft, isDisabled }: JsonTabProps) {
  return (
    <JsonField
      name="json"
      label={t.json}
      hint={t.jsonMore}
      value={bodyOf(draft)}
      problemOf={(value) => (isWhole(value) ? undefined : t.jsonShape)}
      onValue={(value) => onDraft(draftOf(value as Body))}
      isDisabled={isDisabled}
      rows={16}
    />
  );
}
