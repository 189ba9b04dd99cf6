import { composer as t } from '../../strings/en/conversation.ts';
import { createStore, IconButton } from '../../ui/index.ts';
import { keep, kept } from '../../ui/kept.ts';
import { late } from '../../ui/late.tsx';
import { useUserId } from '../session/index.ts';
import type { FormatBarProps } from './formatting/index.tsx';

const Bar = late(() => import('./formatting/index.tsx'));

const keyOf = (userId: string) => `palaver.formatting.${userId}`;
const chosen = createStore<Readonly<Record<string, boolean>>>({});

/** Whether the formatting toolbar is shown in this browser, and a function that toggles it. */
export function useFormatBar(): { isShown: boolean; toggle: () => void } {
  const userId = useUserId();
  const isShown = chosen.use()[userId] ?? kept(keyOf(userId)) !== undefined;
  const toggle = () => {
    keep(keyOf(userId), isShown ? undefined : '1');
    chosen.set({ ...chosen.get(), [userId]: !isShown });
  };
  return { isShown, toggle };
}

/** The formatting toolbar of a text field, if the user has turned it on. */
export function FormatBar(props: Omit<FormatBarProps, 'onClose'>) {
  const { isShown, toggle } = useFormatBar();
  return isShown && <Bar {...props} onClose={toggle} />;
}

/** Shows or hides the formatting toolbar. */
export function FormatButton({ size }: { size?: 'small' }) {
  const { isShown, toggle } = useFormatBar();
  return (
    <IconButton
      size={size}
      className="format-button"
      icon="type"
      label={isShown ? t.hideFormatting : t.showFormatting}
      onMouseDown={(event) => event.preventDefault()}
      onClick={toggle}
    />
  );
}
