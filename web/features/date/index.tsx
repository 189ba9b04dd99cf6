import type { Records } from '../../api/records.ts';
import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

export { goToDate, useWantedDate } from './goToDate.ts';

/** A month from which a day is picked. It is loaded when it is first opened. */
export const Calendar = late(() => import('./Calendar.tsx'));
const PickDate = late(() => import('./PickDate.tsx'));

/** Asks for the day to which one goes in a channel. */
export const pickDate = (channel: Records['Channel']): void =>
  openDialog((close) => <PickDate channel={channel} onClose={close} />);
