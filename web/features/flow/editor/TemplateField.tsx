import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Field, IconButton, Menu, names } from '../../../ui/index.ts';
import { type Insertable, insert } from './values.ts';

/** Maximum completions shown. */
const MOST = 8;

export interface TemplateFieldProps {
  name: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
  values: readonly Insertable[];
  /** Lines of text; one by default. */
  rows?: number;
  hint?: string;
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
  isCode?: boolean;
}

/** The word between `{{` and the caret; undefined if there is none. */
const wordBefore = (area: HTMLTextAreaElement): string | undefined =>
  /\{\{\s*([\w.-]*)$/.exec(area.value.slice(0, area.selectionStart))?.[1];

const matching = (values: readonly Insertable[], word: string): readonly Insertable[] => {
  const wanted = word.toLowerCase();
  return values
    .filter(({ path, label }) => path.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted))
    .slice(0, MOST);
};

/** A text field for a template. Typing `{{` opens a list of values, and so does a menu. */
export function TemplateField({
  value,
  onValue,
  values,
  rows = 1,
  isDisabled,
  isCode,
  ...field
}: TemplateFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [word, setWord] = useState<string>();
  const [at, setAt] = useState(0);
  const found = word === undefined ? [] : matching(values, word);
  const look = () => {
    const next = area.current ? wordBefore(area.current) : undefined;
    if (next !== word) setAt(0);
    setWord(next);
  };
  /** Replaces the text typed after `{{`, or the selection, with a value. */
  function put(path: string, isCompletion: boolean): void {
    const element = area.current;
    if (!element) return;
    const { selectionStart, selectionEnd } = element;
    const before = element.value.slice(0, selectionStart);
    const start = isCompletion ? before.lastIndexOf('{{') : selectionStart;
    const end =
      element.value.startsWith('}}', selectionEnd) && isCompletion ? selectionEnd + 2 : selectionEnd;
    element.focus();
    element.setRangeText(insert(path), start, end, 'end');
    setWord(undefined);
    onValue(element.value);
  }
  function keyed(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (found.length === 0) {
      if (event.key === 'Enter' && rows === 1) event.preventDefault();
      return;
    }
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) setAt((at + by + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') put(found[at]?.path ?? '', true);
    else if (event.key === 'Escape') setWord(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div className="flow-template">
      <Field {...field}>
        {(wiring) => (
          <textarea
            ref={area}
            {...wiring}
            rows={rows}
            className={names('control text-area', isCode && 'flow-template-code')}
            value={value}
            disabled={isDisabled}
            spellCheck={!isCode}
            aria-autocomplete="list"
            aria-controls={found.length > 0 ? listId : undefined}
            aria-activedescendant={found.length > 0 ? `${listId}-${at}` : undefined}
            onInput={(event) => {
              onValue(event.currentTarget.value);
              look();
            }}
            onSelect={look}
            onBlur={() => setWord(undefined)}
            onKeyDown={keyed}
          />
        )}
      </Field>
      {!isDisabled && <InsertMenu {...{ values }} name={field.label} onPick={(path) => put(path, false)} />}
      {found.length > 0 && (
        <Completions id={listId} values={found} at={at} onPick={(path) => put(path, true)} />
      )}
      <span className="only-read" role="status">
        {found.length > 0 ? t.completions({ count: found.length }) : ''}
      </span>
    </div>
  );
}

interface InsertMenuProps {
  name: string;
  values: readonly Insertable[];
  onPick: (path: string) => void;
}

const InsertMenu = ({ name, values, onPick }: InsertMenuProps) => (
  <Menu
    label={t.insertInto({ name })}
    placement="below-end"
    items={() => values.map(({ path, label }) => ({ label, note: path, onSelect: () => onPick(path) }))}
  >
    {(trigger) => (
      <IconButton
        {...trigger}
        size="small"
        icon="plus"
        label={t.insertInto({ name })}
        className="flow-template-insert"
      />
    )}
  </Menu>
);

interface CompletionsProps {
  id: string;
  values: readonly Insertable[];
  at: number;
  onPick: (path: string) => void;
}

const Completions = ({ id, values, at, onPick }: CompletionsProps) => (
  <div className="flow-completions" role="listbox" id={id} aria-label={t.valuesList}>
    {values.map(({ path, label }, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
      <div
        key={path}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === at}
        className="small flow-completion"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onPick(path)}
      >
        <bdi>{label}</bdi>
        <code className="tiny muted">{path}</code>
      </div>
    ))}
  </div>
);
