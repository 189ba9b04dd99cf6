import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { TextField } from '../../../ui/index.ts';
import { JsonField } from '../../settings/server/index.ts';
import { type Fields, textOf } from './draft.ts';
import { FlowField } from './ValueField.tsx';

interface InteractionFieldsProps {
  trigger: Fields;
  onChange: (trigger: Fields) => void;
  isDisabled: boolean;
}

/** A command that people use in the composer. */
export const CommandFields = ({ trigger, onChange, isDisabled }: InteractionFieldsProps) => (
  <>
    <TextField
      name="trigger.command"
      label={t.command}
      hint={t.commandHint}
      value={textOf(trigger.command)}
      maxLength={32}
      spellCheck={false}
      disabled={isDisabled}
      onText={(command) => onChange({ ...trigger, command })}
    />
    <TextField
      name="trigger.description"
      label={t.commandDescription}
      value={textOf(trigger.description)}
      maxLength={100}
      isOptional
      disabled={isDisabled}
      onText={(description) => onChange({ ...trigger, description: description || undefined })}
    />
    <details>
      <summary className="small">{t.moreOptions}</summary>
      <JsonField
        name="trigger.options"
        label={t.commandOptions}
        hint={t.commandOptionsHint({ field: '{{input.NAME}}' })}
        value={trigger.options}
        isOptional
        isDisabled={isDisabled}
        onValue={(options) => onChange({ ...trigger, options })}
      />
    </details>
  </>
);

/** A button in a message of this flow or another one. */
export const ButtonFields = ({
  serverId,
  trigger,
  onChange,
  isDisabled,
}: InteractionFieldsProps & { serverId: string }) => (
  <>
    <TextField
      name="trigger.actionId"
      label={t.actionId}
      hint={t.actionIdHint}
      value={textOf(trigger.actionId)}
      spellCheck={false}
      disabled={isDisabled}
      onText={(actionId) => onChange({ ...trigger, actionId })}
    />
    <FlowField
      {...{ serverId, isDisabled }}
      name="trigger.flowId"
      label={t.buttonOf}
      value={textOf(trigger.flowId)}
      values={[]}
      isOptional
      onValue={(flowId) => onChange({ ...trigger, flowId: flowId || undefined })}
    />
  </>
);
