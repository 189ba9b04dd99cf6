import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCron, nextTime } from '../../server/src/flows/schedule.ts';
import { stepTypes } from '../../server/src/flows/steps.ts';
import { conditionOf, tests, testsOf } from '../../web/features/flow/editor/condition.ts';
import { cronOf, planOf, repeats } from '../../web/features/flow/editor/cron.ts';
import { branches, draftOf, moved, newStep, stepsOf, without } from '../../web/features/flow/editor/draft.ts';
import { sentenceOf } from '../../web/features/flow/editor/sentence.ts';
import { stepForms } from '../../web/features/flow/editor/stepForms.ts';
import { valuesBefore } from '../../web/features/flow/editor/values.ts';
import { perDay, startOfWeek } from '../../web/features/flow/runs/week.ts';

// The parts of the flow editor that work without a page.

test('every step type of the server has a form with all of its fields', () => {
  assert.deepEqual(Object.keys(stepForms).toSorted(), Object.keys(stepTypes).toSorted());
  for (const [type, { fields }] of Object.entries(stepTypes)) {
    const shown = stepForms[type]?.fields.map(({ name }) => name).toSorted();
    const own = Object.keys(fields).filter((name) => !(branches as readonly string[]).includes(name));
    assert.deepEqual(shown, own.toSorted(), type);
  }
});

test('a schedule becomes a cron expression with five fields, and is read back', () => {
  for (const repeat of repeats) {
    const plan = {
      repeat,
      weekday: repeat === 'weekly' ? 3 : 1,
      hour: repeat === 'hourly' ? 0 : 9,
      minute: 5,
    };
    const cron = cronOf(plan);
    assert.ok(isCron(cron), cron);
    assert.ok(nextTime({ cron, timeZone: 'Europe/Berlin' }, 0), cron);
    assert.deepEqual(planOf(cron), plan);
  }
  for (const other of [
    '*/5 * * * *',
    '0 9 * 1 *',
    '0 9 2 * *',
    '0 9 * * 1,3',
    '0 9 1 * 1',
    '',
    '60 9 * * *',
    '0 9 * * * *',
  ])
    assert.equal(planOf(other), undefined, other);
});

test('a form does not change the conditions that it can show', () => {
  const path = 'event.data.content';
  const shown = [
    { path, contains: 'a' },
    { all: [{ path, startsWith: 'a' }, { not: { path, equals: 'b' } }] },
    {
      any: [
        { path, in: ['a', 'b'] },
        { path, isEmpty: false },
      ],
    },
    { not: { path, contains: 'a' } },
    { path, isEmpty: true },
  ];
  for (const one of shown) {
    const parsed = testsOf(one);
    assert.ok(parsed, JSON.stringify(one));
    assert.deepEqual(conditionOf(parsed), one);
  }
  const others = [
    { all: [{ any: [{ path, equals: 'a' }] }] },
    { path, contains: 'a', startsWith: 'b' },
    { not: { not: { path, equals: 'a' } } },
    { path, equals: { a: 1 } },
    { path, in: ['a,b'] },
    'nothing',
  ];
  for (const one of others) assert.equal(testsOf(one), undefined, JSON.stringify(one));
  assert.equal(conditionOf({ join: 'all', tests: [] }), undefined);
  assert.equal(tests.length, 10);
});

const steps = [
  {
    name: 'a',
    do: 'if',
    where: { path: 'event.data.content', contains: 'x' },
    // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
    then: [{ name: 'b', do: 'pin.add', messageId: '{{event.data.id}}' }],
  },
  { name: 'c', do: 'each', items: '{{input.list}}', steps: [{ do: 'unknown', more: [1] }] },
];

test('steps are the same after editing, in the same order of fields', () => {
  const draft = draftOf({ trigger: { on: 'manual' }, steps });
  assert.equal(JSON.stringify(stepsOf(draft.steps)), JSON.stringify(steps));
  const [first, second] = draft.steps;
  assert.ok(first && second);
  assert.equal(
    JSON.stringify(stepsOf(moved(draft.steps, second.key, -1))),
    JSON.stringify(steps.toReversed()),
  );
  assert.equal(moved(draft.steps, first.key, -1), draft.steps);
  assert.deepEqual(stepsOf(without(draft.steps, first.key)), [steps[1]]);
  assert.equal(newStep('pin.add', draft.steps).fields.name, 'pin-add-1');
});

test('values come from the trigger, from earlier steps and from the list around a step', () => {
  const trigger = { on: 'event', type: 'message.created' };
  const draft = draftOf({
    trigger,
    steps: [
      { name: 'one', do: 'message.send', content: 'x' },
      { name: 'two', do: 'each', items: '{{input.list}}', steps: [{ name: 'three', do: 'pin.add' }] },
      { name: 'four', do: 'message.send', content: 'x' },
    ],
  });
  const inner = draft.steps[1]?.inner.steps?.[0]?.key;
  const paths = valuesBefore(draft, inner).map(({ path }) => path);
  assert.ok(
    paths.includes('item') && paths.includes('steps.one.output.id') && paths.includes('event.data.content'),
  );
  assert.ok(!paths.includes('steps.four.output.id'));
  assert.ok(
    !valuesBefore(draft, draft.steps[0]?.key).some(
      ({ path }) => path.startsWith('steps.') || path === 'item',
    ),
  );
});

test('the summary of a flow describes it in a sentence, with names', () => {
  const draft = draftOf({
    trigger: {
      on: 'event',
      type: 'message.created',
      where: {
        any: [
          { path: 'event.data.content', contains: 'a' },
          { path: 'event.data.content', isEmpty: true },
        ],
      },
    },
    steps: [
      ...steps.slice(0, 1),
      { do: 'message.send', channelId: 'id', content: '{{event.data.content | upper}}' },
    ],
  });
  assert.equal(
    sentenceOf(draft, (id) => (id === 'id' ? '#general' : undefined)),
    'When a message is sent, but only if [Text (event)] contains “a” or [Text (event)] is empty: if [Text (event)] contains “x” (pin [Message (event)]), then send “[Text (event)]” to #general.',
  );
});

test('runs are counted on the day on which they started', () => {
  const now = new Date(2026, 10, 27, 12).getTime();
  const at = (day: number, status: 'done' | 'failed') => ({
    createdAt: new Date(2026, 10, day, 1).getTime(),
    status,
  });
  const days = perDay([at(27, 'done'), at(27, 'failed'), at(21, 'done'), at(20, 'done')], now);
  assert.deepEqual(
    days.map(({ others, failed }) => [others, failed]),
    [
      [1, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 1],
    ],
  );
  assert.equal(days[0]?.at, startOfWeek(now));
});
