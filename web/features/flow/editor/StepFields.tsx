import { useState } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Select, Switch, TextField } from '../../../ui/index.ts';
import { JsonField } from '../../settings/server/index.ts';
import { AwaitedField } from './AwaitedField.tsx';
import { ButtonsField } from './ButtonsField.tsx';
import { ConditionField } from './ConditionField.tsx';
import { DurationField } from './DurationField.tsx';
import { type Fields, textOf } from './draft.ts';
import { PairsField } from './PairsField.tsx';
import { type FieldForm, stepForms } from './stepForms.ts';
import { TemplateField } from './TemplateField.tsx';
import { ChannelField, EmojiField, FlowField, OwnField, PersonField, RoleField } from './ValueField.tsx';
import type { Insertable } from './values.ts';

export interface StepFieldsProps {
  serverId: string;
  /** The path of the step in the body, such as `steps[0]`. */
  path: string;
  fields: Fields;
  onChange: (changes: Fields) => void;
  values: readonly Insertable[];
  isDisabled: boolean;
}

/** The fields of a step. Rarely needed fields are behind “More options”, unless they have a value. */
export function StepFields(props: StepFieldsProps) {
  const { fields, path, onChange, isDisabled } = props;
  const form = stepForms[String(fields.do)];
  // Determined once, so a field stays in place while its value is typed.
  const [first] = useState(fields);
  const isShown = ({ name, isMore }: FieldForm) => !isMore || first[name] !== undefined;
  const shown = form?.fields.filter(isShown) ?? [];
  const more = form?.fields.filter((field) => !isShown(field)) ?? [];
  return (
    <>
      {shown.map((field) => (
        <OneField key={field.name} {...props} field={field} />
      ))}
      <details>
        <summary className="small">{t.moreOptions}</summary>
        <div className="stack flow-more">
          {more.map((field) => (
            <OneField key={field.name} {...props} field={field} />
          ))}
          <TextField
            name={`${path}.name`}
            label={t.stepName}
            hint={t.stepNameHint}
            value={String(fields.name ?? '')}
            maxLength={50}
            disabled={isDisabled}
            onText={(name) => onChange({ name: name || undefined })}
          />
        </div>
      </details>
    </>
  );
}

function OneField({
  field,
  serverId,
  path,
  fields,
  onChange,
  values,
  isDisabled,
}: StepFieldsProps & { field: FieldForm }) {
  const { name: of, isOptional } = field;
  const value = fields[of];
  const put = (next: unknown) => onChange({ [of]: next === '' ? undefined : next });
  const props = { name: `${path}.${of}`, label: t.fields[field.label], isOptional, isDisabled };
  const ofText = { ...props, serverId, values, value: textOf(value), onValue: put };
  switch (field.form) {
    case 'value':
      return <RecordField {...ofText} kind={field.kind} />;
    case 'flow':
      return <FlowField {...ofText} />;
    case 'emoji':
      return <EmojiField {...ofText} />;
    case 'text':
      return <TemplateField {...ofText} rows={3} />;
    case 'line':
      return <TemplateField {...ofText} />;
    case 'url':
      return <TemplateField {...ofText} hint={t.urlHint({ secret: '{{secret.NAME}}' })} isCode />;
    case 'list':
      return Array.isArray(value) ? (
        <JsonField {...props} value={value} onValue={put} />
      ) : (
        <TemplateField {...ofText} hint={t.itemsHint({ items: '{{input.items}}' })} isCode />
      );
    case 'duration':
      return <DurationField {...props} value={value} onValue={put} />;
    case 'number':
      return (
        <TextField
          {...props}
          type="number"
          min={1}
          disabled={isDisabled}
          value={textOf(value)}
          onText={(text) => put(text === '' ? undefined : Number(text))}
        />
      );
    case 'buttons':
      return <ButtonsField {...props} value={value} onValue={put} />;
    case 'event':
      return <AwaitedField {...props} {...{ serverId, value, values }} onValue={put} />;
    case 'flag':
      return (
        <Switch
          name={props.name}
          label={props.label}
          isOn={value === true}
          isDisabled={isDisabled}
          onChange={(isOn) => put(isOn || undefined)}
        />
      );
    case 'pairs':
      return <PairsField {...props} {...{ value, values }} onValue={put} />;
    case 'json':
      return <JsonField {...props} value={value} onValue={put} hint={t.jsonHint} />;
    case 'condition':
      return (
        <ConditionField
          {...props}
          {...{ serverId, value, values }}
          onValue={(next) => onChange({ [of]: next })}
        />
      );
    case 'choice':
      return (
        <Select
          {...props}
          disabled={isDisabled}
          value={textOf(value) || field.options[0]}
          onValue={put}
          options={field.options.map((value) => ({ value, label: value }))}
        />
      );
  }
}

const records = { channel: ChannelField, role: RoleField, user: PersonField } as const;

function RecordField({
  kind,
  ...props
}: Parameters<typeof ChannelField>[0] & { kind: 'channel' | 'role' | 'user' | 'message' | 'thread' }) {
  if (kind === 'message' || kind === 'thread') return <OwnField {...props} kind={kind} />;
  const Field = records[kind];
  return <Field {...props} />;
}
