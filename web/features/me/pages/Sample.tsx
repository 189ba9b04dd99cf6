import { me as t } from '../../../strings/en/me.ts';
import { Avatar } from '../../../ui/index.ts';
import './sample.css';

/** Some lines as they look in a conversation, with the present choices. They are not read out: nobody has said them. */
export const Sample = () => (
  <div className="sample" aria-hidden="true">
    {t.appearance.sample.map(({ name, time, text }) => (
      <div key={name} className="sample-row">
        <Avatar id={name} name={name} />
        <p>
          <b>{name}</b> <span className="sample-time">{time}</span>
          <br />
          {text}
        </p>
      </div>
    ))}
  </div>
);
