import { presence as t } from '../../strings/en/frame.ts';
import { type MenuItem, toast } from '../../ui/index.ts';
import { statusDialog } from './dialog.ts';
import { type OwnStatus, ownPresence, saveOwn } from './own.ts';

export const statuses: readonly OwnStatus[] = ['online', 'idle', 'dnd', 'invisible'];

/** The status items in the user's own menu: four statuses, and the status text. */
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
