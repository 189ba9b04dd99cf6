import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atControls } from '../../web/features/flow/editor/atControls.ts';
import { bodyOf, draftOf, replaced, stepsOf } from '../../web/features/flow/editor/draft.ts';
import { withFields } from '../../web/features/flow/editor/rename.ts';

// Tests how the flow editor handles errors and changes, without a page.

/** The controls that show errors at these paths, if only `controls` exist. */
function placesOf(controls: readonly string[], ...paths: string[]): string[] {
  let searches = 0;
  const hasControl = (name: string) => {
    assert.ok(++searches < 100, `still searching, for ${name}`);
    return controls.includes(name);
  };
  const error = Object.assign(new Error('Invalid'), { details: paths.map((path) => ({ path })) });
  const { details } = atControls(error, hasControl) as { details: { path: string }[] };
  return details.map(({ path }) => path);
}

test('an error is shown at the nearest control above its path', () => {
  const controls = ['trigger', 'steps[0].url', 'steps[0].then[1].blocks'];
  assert.deepEqual(
    placesOf(
      controls,
      'steps[0].url',
      'trigger.options[2].name',
      'steps[0].then[1].blocks[0].text',
      'steps[1].url',
    ),
    ['steps[0].url', 'trigger', 'steps[0].then[1].blocks', 'steps[1].url'],
  );
});

test('a path in an unknown format is shown unchanged', () => {
  const controls = ['steps[0]'];
  const odd = ['steps[].url', 'values.', 'headers..a', 'a[b]', 'a]', '[', '..', 'x y\n', ''];
  assert.deepEqual(placesOf(controls, ...odd), odd);
  assert.deepEqual(placesOf(controls, 'steps[0].values.my key[]', 'steps[0].headers.a.'), [
    'steps[0]',
    'steps[0]',
  ]);
});

test('a replaced step keeps its position and nothing else', () => {
  const draft = draftOf({
    trigger: { on: 'manual' },
    steps: [{ do: 'first' }, { do: 'old', more: 1, steps: [{ do: 'inner' }] }, { do: 'last' }],
  });
  const [, old] = draft.steps;
  assert.ok(old);
  const next = { do: 'new', else: [{ do: 'other' }] };
  const steps = replaced(draft.steps, old.key, next);
  assert.deepEqual(stepsOf(steps), [{ do: 'first' }, next, { do: 'last' }]);
  assert.equal(steps[1]?.key, old.key);
  // A different form would take the focus away from the field that the user is typing in.
  const edited = draft.steps.map((step) => ({ ...step, edition: 2 }));
  assert.equal(replaced(edited, old.key, next)[1]?.edition, 2);
});

const reading = (name: string) => [
  {
    name: 'answer',
    do: 'message.send',
    channelId: 'c',
    content: '{{steps.answers.output.id}} {{event.data.id}}',
  },
  {
    name: 'answers',
    do: 'set',
    values: { path: `steps.${name}.output`, id: `{{ steps.${name}.output.id | upper }}` },
  },
  {
    do: 'if',
    where: {
      all: [
        { path: `steps.${name}.output.id`, isEmpty: false },
        { path: 'steps.answers.output.id', equals: 'steps.answer' },
      ],
    },
    // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
    then: [
      {
        do: 'http.call',
        url: 'https://a/',
        json: { list: [`{{steps.${name}}}-{{steps.answer-2.output.id}}`] },
      },
    ],
  },
  { do: 'wait', event: { type: 'message.created', where: { path: `steps.${name}` } }, seconds: 5 },
];

test('references to a step are updated when it is renamed', () => {
  const { steps } = draftOf({ trigger: { on: 'manual' }, steps: reading('answer') });
  const [first] = steps;
  assert.ok(first);
  const after = (...names: (string | undefined)[]) =>
    names.reduce((now, name) => withFields(now, first.key, { name }), steps);
  const named = (name: string, as = name) => {
    const [one, ...others] = reading(as);
    // A text in `values` that only looks like a path stays unchanged.
    const values = { path: 'steps.answer.output', id: `{{ steps.${as}.output.id | upper }}` };
    return [{ ...one, name }, { ...others[0], values }, ...others.slice(1)];
  };
  assert.deepEqual(stepsOf(after('reply')), named('reply'));
  // Intermediate names while the user types: empty, not allowed, or another step's name.
  assert.deepEqual(stepsOf(after('answers')), named('answers', 'answer'));
  assert.deepEqual(stepsOf(after('an swer')), named('an swer', 'answer'));
  assert.deepEqual(stepsOf(after('answe', undefined, 'a b', 'r', 're')), named('re'));
  assert.deepEqual(stepsOf(after('answers', 'answers2')), named('answers2'));
  assert.deepEqual(
    after('reply').map(({ edition }) => edition),
    [undefined, 1, 1, 1],
  );
});

test('a note that forms cannot show is kept unchanged', () => {
  for (const body of [
    { trigger: 'on join', steps: ['greet them', 7, null] },
    { trigger: null, steps: [] },
    // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
    { trigger: { on: 'x' }, steps: [{ do: 'if', then: [{ do: 'set' }, 'greet'] }] },
  ]) {
    const draft = draftOf(body);
    assert.ok(draft.raw);
    assert.deepEqual(bodyOf(draft), body);
  }
  const shown = {
    trigger: { on: 'x' },
    steps: [{ do: 'mail.send', steps: { odd: true }, else: [{ do: 'y' }] }],
  };
  assert.equal(draftOf(shown).raw, undefined);
  assert.deepEqual(bodyOf(draftOf(shown)), shown);
});
