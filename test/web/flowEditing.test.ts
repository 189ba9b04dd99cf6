import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atControls } from '../../web/features/flow/editor/atControls.ts';

// What the editor of flows does with errors and changes, without a page.

const isDialog = (selector: string) => (selector === 'dialog[open]' ? {} : null);

/** Lets the open dialog have controls with these names. A search that does not end is an error. */
function showControls(...names: string[]): void {
  let searches = 0;
  const getElementsByName = (name: string) => {
    assert.ok(++searches < 100, `still searching, for ${name}`);
    return names.includes(name) ? [{ closest: isDialog }] : [];
  };
  Object.assign(globalThis, { document: { getElementsByName } });
}

const placesOf = (...paths: string[]): string[] => {
  const error = Object.assign(new Error('Invalid'), { details: paths.map((path) => ({ path })) });
  return (atControls(error) as { details: { path: string }[] }).details.map(({ path }) => path);
};

test('an error is shown at the nearest control above its path', () => {
  showControls('trigger', 'steps[0].url', 'steps[0].then[1].blocks');
  assert.deepEqual(
    placesOf('steps[0].url', 'trigger.options[2].name', 'steps[0].then[1].blocks[0].text', 'steps[1].url'),
    ['steps[0].url', 'trigger', 'steps[0].then[1].blocks', 'steps[1].url'],
  );
});

test('a path of an unusual form is shown as it is', () => {
  showControls('steps[0]');
  const odd = ['steps[].url', 'values.', 'headers..a', 'a[b]', 'a]', '[', '..', 'x y\n', ''];
  assert.deepEqual(placesOf(...odd), odd);
  assert.deepEqual(placesOf('steps[0].values.my key[]', 'steps[0].headers.a.'), ['steps[0]', 'steps[0]']);
});
