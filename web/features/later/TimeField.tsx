import { ownTimeZone } from '../../strings/calendar.ts';
import { later as t } from '../../strings/en/writing.ts';
import { TextField } from '../../ui/index.ts';
import { localTime } from './times.ts';

/** A field for a date and time in the user's time zone. The server rejects times out of range. */
export const TimeField = ({ name, at }: { name: string; at: number }) => (
  <TextField
    type="datetime-local"
    name={name}
    label={t.dateAndTime}
    hint={t.zone({ zone: ownTimeZone() })}
    defaultValue={localTime(at)}
    required
  />
);

/** The value of a `TimeField`, in ms since the Unix epoch. */
export const timeIn = (value: string): number => new Date(value).getTime();
