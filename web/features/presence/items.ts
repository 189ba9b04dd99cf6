import { presence as t } from '../../strings/en/frame.ts';
import { type MenuItem, toast } from '../../ui/index.ts';
import { statusDialog } from './dialog.ts';
import { type OwnStatus, ownPresence, saveOwn } from './own.ts';

export const statuses: readonly OwnStatus[] = ['online', 'idle', 'dnd', 'invisible'];

/** The part of one's own menu about how one is shown: the four states, and the text with them. */
export function useStatusItems(): MenuItem[] {
  const own = ownPresence.use();
  const now = own?.status ?? 'online';
  return [
    ...statuses.map(
      (status): MenuItem => ({
        label: t.statuses[status],
        isOn: status === now,
        isOneOf: true,
        onSelect: () => void saveOwn({ status }).catch(toast.error),
      }),
    ),
    {
      label: own?.text ? t.changeText({ text: own.text }) : t.setText,
      icon: 'smile',
      onSelect: () => statusDialog.set(true),
    },
  ];
}
