import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atControls } from '../../web/features/flow/editor/atControls.ts';
import { draftOf, replaced, stepsOf } from '../../web/features/flow/editor/draft.ts';

// What the editor of flows does with errors and changes, without a page.

/** Where errors at these paths are shown if there are these controls. */
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

test('a path of an unusual form is shown as it is', () => {
  const controls = ['steps[0]'];
  const odd = ['steps[].url', 'values.', 'headers..a', 'a[b]', 'a]', '[', '..', 'x y\n', ''];
  assert.deepEqual(placesOf(controls, ...odd), odd);
  assert.deepEqual(placesOf(controls, 'steps[0].values.my key[]', 'steps[0].headers.a.'), [
    'steps[0]',
    'steps[0]',
  ]);
});

test('a step that is replaced keeps nothing of before, and its place', () => {
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
});
