import type { Records } from '../../api/records.ts';
import Calendar from './Calendar.tsx';
import { goToDate } from './goToDate.ts';

interface PickDateProps {
  channel: Records['Channel'];
  onClose: () => void;
}

/** Asks for a date to jump to in a channel. */
export default function PickDate({ channel, onClose }: PickDateProps) {
  const head = document.querySelector('.channel-header')?.getBoundingClientRect();
  const anchor = { x: head ? head.left + head.width / 2 : innerWidth / 2, y: head?.bottom ?? 0 };
  return (
    <Calendar
      anchor={anchor}
      shown={Date.now()}
      since={channel.createdAt}
      onPick={(at) => goToDate(channel, at)}
      onClose={onClose}
    />
  );
}
