import { me as t } from '../../../strings/en/me.ts';
import { Group, Page } from '../../settings/index.ts';
import './shortcuts.css';

const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** Selects those of equivalent shortcuts that apply to this platform. */
function ownOf(combinations: readonly string[]): readonly string[] {
  const apple = combinations.filter((one) => one.startsWith('⌘'));
  if (apple.length === 0) return combinations;
  return isApple ? apple : combinations.filter((one) => !apple.includes(one));
}

/** The keyboard shortcuts. Everything they do can also be done without them. */
export const Shortcuts = () => (
  <Page title={t.sections.shortcuts} lead={t.shortcuts.lead}>
    {t.shortcuts.groups.map(({ title, keys }) => (
      <Group key={title} title={title}>
        <dl className="shortcuts">
          {keys.map(([text, ...combinations]) => (
            <div key={text} className="shortcut">
              <dt>{text}</dt>
              <dd className="shortcut-keys">
                {ownOf(combinations).map((combination) => (
                  <kbd key={combination}>{combination}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Group>
    ))}
  </Page>
);
