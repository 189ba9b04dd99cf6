import { conversation as t } from '../../strings/en/conversation.ts';
import { Icon, type IconName } from '../../ui/index.ts';

/** Stands above the first message of a channel. */
export const Beginning = ({
  name,
  icon,
  description,
}: {
  name: string;
  icon: IconName;
  description: string | null;
}) => (
  <div className="timeline-beginning">
    <Icon name={icon} size={32} />
    <h2>{t.beginning(name)}</h2>
    {description !== null && <p>{description}</p>}
    <p className="timeline-beginning-invitation">{t.beginningMore}</p>
  </div>
);
