import type { Records } from '../../api/records.ts';
import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

export { goToDate, useWantedDate } from './goToDate.ts';

/** A date picker, loaded on first use. */
export const Calendar = late(() => import('./Calendar.tsx'));
const PickDate = late(() => import('./PickDate.tsx'));

/** Asks for a date to jump to in a channel. */
export const pickDate = (channel: Records['Channel']): void =>
  openDialog((close) => <PickDate channel={channel} onClose={close} />);
