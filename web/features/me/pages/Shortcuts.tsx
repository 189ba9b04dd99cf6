import { me } from '../../../strings/en/me.ts';
import { shortcuts as t } from '../../../strings/en/writing.ts';
import { isApple } from '../../../ui/apple.ts';
import { Group, Page } from '../../settings/index.ts';
import './shortcuts.css';

/** Filters equivalent shortcuts to those that apply to this platform. */
function ownOf(combinations: readonly string[]): readonly string[] {
  const apple = combinations.filter((one) => one.startsWith('⌘'));
  if (apple.length === 0) return combinations;
  return isApple ? apple : combinations.filter((one) => !apple.includes(one));
}

/** The keyboard shortcuts. Everything they do can also be done without them. */
export const Shortcuts = () => (
  <Page title={me.sections.shortcuts} lead={t.lead}>
    {t.groups.map(({ title, keys }) => (
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
