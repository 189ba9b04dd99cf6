import { useRef } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Badge, Button, Icon, IconButton, Menu } from '../../../ui/index.ts';
import { JsonField } from '../../settings/server/index.ts';
import {
  type Branch,
  branches,
  countOf,
  type Draft,
  type DraftStep,
  type Fields,
  isFields,
  type Place,
} from './draft.ts';
import { StepFields } from './StepFields.tsx';
import { stepForms } from './stepForms.ts';
import type { Edits } from './useDraft.ts';
import { valuesBefore } from './values.ts';

const MOST_STEPS = 20;

interface StepListProps {
  serverId: string;
  draft: Draft;
  edits: Edits;
  isDisabled: boolean;
}

interface InnerProps extends StepListProps {
  steps: readonly DraftStep[];
  /** The path of the list in the body. */
  path: string;
  place: Place;
  /** True inside `each`, which must not contain another. */
  isInEach: boolean;
  label: string;
}

/** The steps of a flow as forms, including nested steps. */
export const StepList = (props: StepListProps) => (
  <Steps {...props} steps={props.draft.steps} path="steps" place={{}} isInEach={false} label={t.steps} />
);

function Steps({ steps, path, place, isInEach, label, ...props }: InnerProps) {
  const { draft, edits, isDisabled } = props;
  const box = useRef<HTMLDivElement>(null);
  const add = (type: string) => {
    edits.add(type, place);
    // Focuses the first field of the new step.
    requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>(
          ':scope > ol > li:last-child > .flow-step-fields :is(input, select, textarea, button)',
        )
        ?.focus(),
    );
  };
  return (
    <div ref={box} className="stack flow-steps">
      {steps.length > 0 && (
        <ol className="stack flow-steps" aria-label={label}>
          {steps.map((step, at) => (
            <StepCard
              key={step.key}
              {...props}
              step={step}
              path={`${path}[${at}]`}
              number={at + 1}
              isFirst={at === 0}
              isLast={at === steps.length - 1}
              isInEach={isInEach}
            />
          ))}
        </ol>
      )}
      {!isDisabled && countOf(draft.steps) < MOST_STEPS && (
        <AddStep
          label={steps === draft.steps ? t.addStep : t.addTo({ name: label })}
          isInEach={isInEach}
          onAdd={add}
        />
      )}
    </div>
  );
}

interface AddStepProps {
  label: string;
  isInEach: boolean;
  onAdd: (type: string) => void;
}

const AddStep = ({ label, isInEach, onAdd }: AddStepProps) => (
  <div>
    <Menu
      label={label}
      items={() =>
        Object.entries(stepForms)
          .filter(([type]) => !(isInEach && type === 'each'))
          .map(([type, { icon }]) => ({ label: typeName(type), icon, onSelect: () => onAdd(type) }))
      }
    >
      {(trigger) => (
        <Button {...trigger} icon="plus">
          {label}
        </Button>
      )}
    </Menu>
  </div>
);

/** The display name of a step type. */
const typeName = (type: string): string => (t.types as Readonly<Record<string, string>>)[type] ?? type;

interface StepCardProps extends StepListProps {
  step: DraftStep;
  path: string;
  number: number;
  isFirst: boolean;
  isLast: boolean;
  isInEach: boolean;
}

function StepCard({ step, path, number, isFirst, isLast, isInEach, ...props }: StepCardProps) {
  const { serverId, draft, edits, isDisabled } = props;
  const { key, fields, inner } = step;
  const type = String(fields.do);
  const name = typeName(type);
  const form = stepForms[type];
  return (
    <li className="flow-step" data-step={key}>
      <div className="flow-step-head">
        <Icon name={form?.icon ?? 'zap'} size={16} />
        <h3 className="small flow-step-name">
          {number}. {name}
        </h3>
        {typeof fields.name === 'string' && <Badge>{fields.name}</Badge>}
        {!isDisabled && <StepButtons {...{ step, edits, isFirst, isLast }} name={`${number}. ${name}`} />}
      </div>
      <div className="stack flow-step-fields">
        {form ? (
          <StepFields
            key={step.edition}
            {...{ serverId, path, fields, isDisabled }}
            onChange={(changes) => edits.change(key, changes)}
            values={valuesBefore(draft, key)}
          />
        ) : (
          <JsonField
            key={step.edition}
            name={path}
            label={t.asJson}
            value={fields}
            isDisabled={isDisabled}
            rows={6}
            problemOf={(value) => (isFields(value) ? undefined : t.jsonObject)}
            onValue={(value) => edits.replace(key, value as Fields)}
          />
        )}
        {branchesOf(type).map((branch) => (
          <section key={branch} className="stack flow-branch" aria-label={`${branchNames[branch]} ${number}`}>
            <h4 className="small flow-branch-name">{branchNames[branch]}</h4>
            <Steps
              {...props}
              steps={inner[branch] ?? []}
              path={`${path}.${branch}`}
              place={{ key, branch }}
              isInEach={isInEach || type === 'each'}
              label={branchNames[branch]}
            />
          </section>
        ))}
      </div>
    </li>
  );
}

const branchNames: Readonly<Record<Branch, string>> = Object.fromEntries([
  ['then', t.branches.ifSo],
  ['else', t.branches.otherwise],
  ['steps', t.branches.items],
]) as Record<Branch, string>;

const branchesOf = (type: string): readonly Branch[] =>
  branches.filter((branch) => (branch === 'steps' ? type === 'each' : type === 'if'));

interface StepButtonsProps {
  step: DraftStep;
  edits: Edits;
  name: string;
  isFirst: boolean;
  isLast: boolean;
}

/** Moves or removes a step. After a removal, the focus moves to the next or previous step, or to the list. */
function StepButtons({ step: { key }, edits, name, isFirst, isLast }: StepButtonsProps) {
  const buttons = useRef<HTMLSpanElement>(null);
  const move = (by: -1 | 1) => {
    const focused = document.activeElement;
    edits.move(key, by);
    // Moving the step in the DOM loses the focus, and its button may be disabled at the new position.
    requestAnimationFrame(() => {
      if (focused instanceof HTMLButtonElement && focused.getAttribute('aria-disabled') !== 'true')
        focused.focus();
      else buttons.current?.querySelector<HTMLElement>('button:not([aria-disabled=true])')?.focus();
    });
  };
  const remove = () => {
    const card = buttons.current?.closest<HTMLElement>('.flow-step');
    const next = card?.nextElementSibling ?? card?.previousElementSibling;
    const list = card?.closest<HTMLElement>('.flow-steps:not(ol)');
    edits.remove(key);
    requestAnimationFrame(() =>
      (next ?? list)?.querySelector<HTMLElement>('button:not([aria-disabled=true])')?.focus(),
    );
  };
  return (
    <span ref={buttons} className="flow-step-buttons">
      <IconButton
        size="small"
        icon="arrow-up"
        label={t.up({ name })}
        aria-disabled={isFirst}
        onClick={() => isFirst || move(-1)}
      />
      <IconButton
        size="small"
        icon="arrow-down"
        label={t.down({ name })}
        aria-disabled={isLast}
        onClick={() => isLast || move(1)}
      />
      <IconButton size="small" icon="trash" label={t.removeStep({ name })} onClick={remove} />
    </span>
  );
}
