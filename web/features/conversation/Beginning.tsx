import { conversation as t } from '../../strings/en/conversation.ts';
import { Icon, type IconName, WithName } from '../../ui/index.ts';

/** The introduction above the first message of a channel. */
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
    <h2>
      <WithName words={t.beginning} values={{ channel: name }} />
    </h2>
    {description !== null && (
      <p>
        <bdi>{description}</bdi>
      </p>
    )}
    <p className="timeline-beginning-invitation">{t.beginningMore}</p>
  </div>
);
