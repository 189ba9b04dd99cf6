import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { common } from '../../../strings/en/common.ts';
import { blocks as t } from '../../../strings/en/writing.ts';
import { Button, openDialog, Select, TextField } from '../../../ui/index.ts';
import { FormDialog } from './FormDialog.tsx';
import type { Acting } from './useActing.ts';

export type ElementRow = Records['ShownActionsBlock']['elements'][number];

interface ElementProps<Row = ElementRow> {
  element: Row;
  acting: Acting;
  /** The reason why the user cannot use the element; undefined if they can. */
  refusal: string | undefined;
  /** True if somebody chose the element in an approval. */
  isChosen: boolean;
}

const kinds = { default: 'plain', primary: 'main', danger: 'danger' } as const;

/** A button, select, date or form. */
export function Element({ element, ...rest }: ElementProps) {
  switch (element.type) {
    case 'button':
      return <Press element={element} {...rest} />;
    case 'form':
      return <Press element={element} {...rest} />;
    case 'select':
      return <Choose element={element} {...rest} />;
    case 'date':
      return <Choose element={element} {...rest} />;
    default:
      return null;
  }
}

type Pressed = Extract<ElementRow, { type: 'button' | 'form' }>;

/** A button, or a button that opens a form. */
function Press({ element, acting, refusal, isChosen }: ElementProps<Pressed>) {
  const { id, text, style = 'default' } = element;
  const state = acting.of(id)?.state;
  const isOver = element.type === 'button' && !element.repeatable && state === 'done';
  const isPending = acting.sending === id || state === 'pending';
  const isOff = refusal !== undefined || isOver;
  return (
    <Button
      size="small"
      kind={kinds[style]}
      icon={isOver || isChosen ? 'check' : undefined}
      isPending={isPending}
      aria-disabled={isOff}
      data-tip={refusal}
      onClick={() => {
        if (isOff) return;
        if (element.type === 'button') acting.act(id);
        else openDialog((close) => <FormDialog form={element} submit={acting.submit} onClose={close} />);
      }}
    >
      <bdi>{text}</bdi>
      {(isOver || isChosen) && <span className="only-read"> ({t.pressed})</span>}
    </Button>
  );
}

type Chosen = Extract<ElementRow, { type: 'select' | 'date' }>;

/** A select or date field, with a button that confirms the value, because each key press may change it. */
function Choose({ element, acting, refusal }: ElementProps<Chosen>) {
  const { id, placeholder, initial = '' } = element;
  const row = acting.of(id);
  const [chosen, setChosen] = useState<string>();
  const value = chosen ?? (typeof row?.value === 'string' ? row.value : initial);
  const isPending = acting.sending === id || row?.state === 'pending';
  const isOff = refusal !== undefined || value === '';
  const label = placeholder ?? (element.type === 'date' ? common.date : t.choose);
  return (
    <form
      className="block-choose"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff && !isPending) acting.act(id, value);
      }}
    >
      {element.type === 'select' ? (
        <Select
          label={label}
          isLabelHidden
          value={value}
          onValue={setChosen}
          disabled={refusal !== undefined}
          options={[
            ...(value === '' ? [{ value: '', label }] : []),
            ...element.options.map(({ text, value }) => ({ value, label: text })),
          ]}
        />
      ) : (
        <TextField
          type="date"
          label={label}
          isLabelHidden
          value={value}
          onText={setChosen}
          disabled={refusal !== undefined}
        />
      )}
      <Button type="submit" size="small" isPending={isPending} aria-disabled={isOff} data-tip={refusal}>
        {t.submit}
      </Button>
    </form>
  );
}
