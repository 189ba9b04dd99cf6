import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Button, IconButton, Select, TextField } from '../../../ui/index.ts';
import { JsonField } from '../../settings/server/index.ts';
import { conditionOf, placeOf, type Test, type TestName, type Tests, tests, testsOf } from './condition.ts';
import { ChannelField, EmojiField, PersonField, RoleField, type ValueFieldProps } from './ValueField.tsx';
import type { Insertable } from './values.ts';

export interface ConditionFieldProps {
  serverId: string;
  /** The path of the condition in the body. */
  name: string;
  label: string;
  value: unknown;
  onValue: (condition: unknown) => void;
  values: readonly Insertable[];
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
}

/** A condition as tests, or as JSON if a form cannot show it. */
export function ConditionField(props: ConditionFieldProps) {
  const { name, label, value, onValue, values, isOptional, isDisabled } = props;
  const parsed = testsOf(value);
  if (!parsed) return <JsonField {...{ name, label, value, onValue, isOptional, isDisabled }} />;
  const change = (next: Tests) => onValue(conditionOf(next));
  const put = (at: number, one: Test) =>
    change({ ...parsed, tests: parsed.tests.map((each, index) => (index === at ? one : each)) });
  const first = values[0]?.path ?? 'event.data.content';
  return (
    <fieldset className="stack flow-condition">
      <legend className="field-label">{label}</legend>
      {parsed.tests.length > 1 && (
        <Select
          label={t.join}
          isLabelHidden
          disabled={isDisabled}
          value={parsed.join}
          onValue={(join) => change({ ...parsed, join })}
          options={[
            { value: 'all', label: t.joins.all },
            { value: 'any', label: t.joins.any },
          ]}
        />
      )}
      {parsed.tests.map((test, at) => (
        <TestRow
          // biome-ignore lint/suspicious/noArrayIndexKey: tests have no ids
          key={at}
          {...props}
          test={test}
          number={at + 1}
          place={placeOf(name, parsed, at)}
          onTest={(one) => put(at, one)}
          onRemove={() => change({ ...parsed, tests: parsed.tests.filter((_, index) => index !== at) })}
        />
      ))}
      {!isDisabled && (
        <div>
          <Button
            size="small"
            icon="plus"
            onClick={() =>
              change({ ...parsed, tests: [...parsed.tests, { path: first, test: 'contains', than: '' }] })
            }
          >
            {t.addTest}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface TestRowProps extends ConditionFieldProps {
  test: Test;
  number: number;
  place: { path: string; than: string };
  onTest: (test: Test) => void;
  onRemove: () => void;
}

function TestRow({ test, number, place, onTest, onRemove, ...props }: TestRowProps) {
  const { values, isDisabled } = props;
  const isKnown = values.some(({ path }) => path === test.path);
  const options = values.map(({ path, label }) => ({ value: path, label }));
  return (
    <div className="flow-test">
      <Select
        name={place.path}
        label={t.valueOf({ number })}
        isLabelHidden
        disabled={isDisabled}
        value={test.path}
        onValue={(path) => onTest({ ...test, path })}
        options={isKnown ? options : [{ value: test.path, label: test.path }, ...options]}
      />
      <Select
        label={t.testOf({ number })}
        isLabelHidden
        disabled={isDisabled}
        value={test.test}
        onValue={(name: TestName) => onTest({ ...test, test: name })}
        options={tests.map((value) => ({ value, label: t.tests[value] }))}
      />
      {test.test !== 'isEmpty' && test.test !== 'isNotEmpty' && (
        <Than {...props} name={place.than} test={test} number={number} onTest={onTest} />
      )}
      {!isDisabled && (
        <IconButton size="small" icon="x" label={t.removeTest({ number })} onClick={onRemove} />
      )}
    </div>
  );
}

type ThanProps = Pick<
  TestRowProps,
  'serverId' | 'name' | 'test' | 'number' | 'onTest' | 'values' | 'isDisabled'
>;

/** The right side of a comparison: a record picker for an id, otherwise a value. */
function Than({ serverId, name, test, number, onTest, values, isDisabled }: ThanProps) {
  const kind = values.find(({ path }) => path === test.path)?.kind;
  const field: ValueFieldProps = {
    ...{ serverId, name, values: [], isDisabled },
    label: t.thanOf({ number }),
    value: test.than,
    onValue: (than) => onTest({ ...test, than }),
  };
  const isOne = test.test === 'equals' || test.test === 'notEquals';
  if (isOne && kind === 'channel') return <ChannelField {...field} />;
  if (isOne && kind === 'role') return <RoleField {...field} />;
  if (isOne && kind === 'user') return <PersonField {...field} />;
  if (isOne && kind === 'emoji') return <EmojiField {...field} />;
  return (
    <TextField
      name={name}
      label={field.label}
      isLabelHidden
      disabled={isDisabled}
      value={test.than}
      placeholder={test.test === 'in' ? t.listHint : undefined}
      onText={(than) => onTest({ ...test, than })}
    />
  );
}
