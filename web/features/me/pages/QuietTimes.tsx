import { useRef, useState } from 'react';
import { api } from '../../../api/index.ts';
import { ownTimeZone, timeZoneOptions, weekdayName } from '../../../strings/calendar.ts';
import { quiet } from '../../../strings/en/me.ts';
import { firstWeekday } from '../../../strings/format.ts';
import { Checkbox, Select, Switch, TextField, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself } from '../../session/index.ts';
import { Group } from '../../settings/index.ts';
import './quietTimes.css';

type Hours = NonNullable<Myself['quietHours']>;

const usual: Hours = {
  from: '22:00',
  to: '07:00',
  timeZone: ownTimeZone(),
  days: [1, 2, 3, 4, 5, 6, 7],
};

/** The days of the week, from 1 for Monday to 7, in the order of the user's calendar. */
const days = [0, 1, 2, 3, 4, 5, 6].map((at) => ((firstWeekday() + 6 + at) % 7) + 1);

/** Updates the account, and the quiet hours in the user's other tabs, because any tab may show notifications. */
function keep(me: Partial<Myself> & Pick<Myself, 'id' | 'quietHours'>): void {
  keepAccount(me);
  if (typeof BroadcastChannel === 'undefined') return;
  const tabs = new BroadcastChannel(`palaver-seen-${me.id}`);
  tabs.postMessage({ quietHours: me.quietHours });
  tabs.close();
}

/** Quiet hours: when the user wants no notifications. */
export function QuietTimes({ me }: { me: Myself }) {
  // Updated before the server responds, so rapid changes build on each other.
  const [quietHours, setHours] = useState(me.quietHours);
  const saved = useRef<Promise<unknown>>(Promise.resolve());
  const words = quiet.quietTimes;
  const save = (next: Hours | null) => {
    setHours(next);
    saved.current = saved.current.then(() =>
      api('none')
        .personUpdate({ quietHours: next })
        .then(keep, (error) => {
          toast.error(error);
          setHours(me.quietHours);
        }),
    );
  };
  return (
    <Group title={words.title}>
      <Switch
        label={words.isOn}
        hint={words.more}
        isOn={quietHours !== null}
        onChange={(isOn) => save(isOn ? usual : null)}
      />
      {quietHours && (
        <>
          <div className="quiet-times">
            {(['from', 'to'] as const).map((name) => (
              <TextField
                key={name}
                type="time"
                label={words[name]}
                defaultValue={quietHours[name]}
                onBlur={({ currentTarget: { value } }) => {
                  if (value !== '' && value !== quietHours[name]) save({ ...quietHours, [name]: value });
                }}
              />
            ))}
            <Select
              label={words.timeZone}
              value={quietHours.timeZone}
              options={timeZoneOptions(quietHours.timeZone)}
              onValue={(timeZone) => save({ ...quietHours, timeZone })}
            />
          </div>
          <fieldset className="quiet-days">
            <legend className="field-label">{words.days}</legend>
            {days.map((day) => (
              <Checkbox
                key={day}
                label={weekdayName(day)}
                isOn={quietHours.days.includes(day)}
                // The last day cannot be removed, because no days would mean no quiet hours.
                isDisabled={quietHours.days.length === 1 && quietHours.days[0] === day}
                onChange={(isOn) =>
                  save({
                    ...quietHours,
                    days: isOn
                      ? [...quietHours.days, day].sort((one, other) => one - other)
                      : quietHours.days.filter((each) => each !== day),
                  })
                }
              />
            ))}
          </fieldset>
        </>
      )}
    </Group>
  );
}
