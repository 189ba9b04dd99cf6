import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { common } from '../../strings/en/common.ts';
import { conversation as t } from '../../strings/en/conversation.ts';
import { direct } from '../../strings/en/frame.ts';
import { Button, Icon, openDialog, WithName } from '../../ui/index.ts';
import { ChannelDialog, iconOf } from '../channel/index.ts';
import { focusField } from '../composer/index.ts';
import { DirectMark, useChannelName } from '../direct/index.ts';
import { createInvite } from '../invite/index.tsx';

type Channel = Records['Channel'];

/** The introduction above the first message of a channel. In an empty channel, it suggests first steps. */
export const Beginning = ({ channel }: { channel: Channel }) =>
  channel.kind === 'dm' ? <DirectBeginning channel={channel} /> : <ChannelBeginning channel={channel} />;

function DirectBeginning({ channel }: { channel: Channel }) {
  const name = useChannelName(channel);
  return (
    <div className="timeline-beginning">
      <DirectMark channel={channel} size={40} />
      <h2>
        <WithName words={direct.beginning} values={{ name }} />
      </h2>
      <div className="timeline-beginning-invitation">
        <p>{direct.beginningMore}</p>
      </div>
    </div>
  );
}

const ChannelBeginning = ({ channel }: { channel: Channel }) => (
  <div className="timeline-beginning">
    <Icon name={iconOf(channel)} size={32} />
    <h2>
      <WithName words={t.beginning} values={{ channel: `#${channel.name}` }} />
    </h2>
    {channel.description !== null && (
      <p>
        <bdi>{channel.description}</bdi>
      </p>
    )}
    <div className="timeline-beginning-invitation">
      <p>{t.beginningMore}</p>
      <FirstActions channel={channel} />
    </div>
  </div>
);

function FirstActions({ channel }: { channel: Channel }) {
  const { serverId, description } = channel;
  const mayWrite = useMay(serverId, 'message insert', { channel }).allowed;
  const mayInvite = useMay(serverId, 'invite insert').allowed;
  const mayDescribe = useMay(serverId, 'channel update', { channel }).allowed;
  const describe = () =>
    openDialog((close) => (
      <ChannelDialog serverId={serverId} channel={channel} onDone={() => undefined} onClose={close} />
    ));
  return (
    <div className="timeline-beginning-acts">
      {mayWrite && (
        <Button size="small" icon="pencil" onClick={() => focusField()}>
          {t.beginningActs.write}
        </Button>
      )}
      {mayDescribe && description === null && (
        <Button size="small" icon="file-text" onClick={describe}>
          {t.beginningActs.describe}
        </Button>
      )}
      {mayInvite && (
        <Button size="small" icon="user-plus" onClick={() => createInvite(serverId)}>
          {common.invitePeople}
        </Button>
      )}
    </div>
  );
}
