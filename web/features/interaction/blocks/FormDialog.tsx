import type { Records } from '../../../api/records.ts';
import { blocks as t } from '../../../strings/en/writing.ts';
import { Checkbox, Dialog, Form, Select, TextArea, TextField, type Values } from '../../../ui/index.ts';

type FormRow = Records['FormElement'];
type FieldRow = FormRow['fields'][number];

interface FormDialogProps {
  form: FormRow;
  submit: (actionId: string, value: object) => Promise<void>;
  onClose: () => void;
}

/** The path of a field in the request, which errors refer to. */
const nameOf = ({ id }: FieldRow): string => `value.${id}`;

/** The values of all checkboxes and of other filled-in fields, by id. */
const valuesOf = (fields: readonly FieldRow[], values: Values): object =>
  Object.fromEntries(
    fields.flatMap((field): [string, string | boolean][] => {
      const name = nameOf(field);
      if (field.type === 'checkbox') return [[field.id, values.isOn(name)]];
      const text = values.text(name);
      return text === '' ? [] : [[field.id, text]];
    }),
  );

/** An agent's form. */
export function FormDialog({ form, submit, onClose }: FormDialogProps) {
  const { id, text, title = text, submit: label = t.submit, fields, style } = form;
  return (
    <Dialog title={<bdi>{title}</bdi>} size="m" onClose={onClose} isFirm>
      <Form
        submit={label}
        isDanger={style === 'danger'}
        onCancel={onClose}
        onSubmit={async (values) => {
          await submit(id, valuesOf(fields, values));
          onClose();
        }}
      >
        {fields.map((field) => (
          <FormField key={field.id} field={field} />
        ))}
      </Form>
    </Dialog>
  );
}

function FormField({ field }: { field: FieldRow }) {
  const { label, required = false } = field;
  const common = { label, name: nameOf(field) };
  if (field.type === 'checkbox') return <Checkbox {...common} defaultOn={field.initial} />;
  const typed = { ...common, isOptional: !required, required };
  switch (field.type) {
    case 'multiline':
      return (
        <TextArea
          {...typed}
          most={field.maxLength ?? 4_000}
          placeholder={field.placeholder}
          defaultValue={field.initial}
        />
      );
    case 'select':
      return (
        <Select
          {...typed}
          defaultValue={field.initial ?? ''}
          options={[
            { value: '', label: field.placeholder ?? t.choose },
            ...field.options.map(({ text, value }) => ({ value, label: text })),
          ]}
        />
      );
    case 'date':
      return <TextField {...typed} type="date" defaultValue={field.initial} />;
    case 'text':
      return (
        <TextField
          {...typed}
          maxLength={field.maxLength ?? 4_000}
          placeholder={field.placeholder}
          defaultValue={field.initial}
        />
      );
    default:
      return null;
  }
}
