import { me as t } from '../../../strings/en/me.ts';
import { time } from '../../../strings/format.ts';
import { Avatar } from '../../../ui/index.ts';
import './sample.css';

/** A sample conversation with the current appearance. Hidden from screen readers, because it is not real. */
export const Sample = () => (
  <div className="sample" aria-hidden="true">
    {t.appearance.sample.map(({ name, text }, at) => (
      <div key={name} className="sample-row">
        <Avatar id={name} name={name} />
        <p>
          <b>{name}</b> <span className="sample-time">{time(new Date(2026, 2, 1, 14, 5 + 2 * at))}</span>
          <br />
          {text}
        </p>
      </div>
    ))}
  </div>
);
