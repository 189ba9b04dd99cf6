import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import type { Permission } from '../../../may/index.ts';
import { useChannels, useServer } from '../../../replica/hooks.ts';
import { ownTimeZone } from '../../../strings/calendar.ts';
import { flowSettings, flowNew as t } from '../../../strings/en/flows.ts';
import { Button, Dialog, Icon, type IconName } from '../../../ui/index.ts';
import { Row, Rows } from '../../settings/index.ts';
import { Editor, type NewFields } from '../editor/index.ts';
import { type TemplateContext, templates } from './templates.ts';

interface NewProps {
  serverId: string;
  permission: Permission;
  onSaved: (flow: Records['FlowWithPath']) => void;
  onClose: () => void;
}

/** Creates a flow, from a template or from scratch. */
export default function New({ serverId, onClose, ...rest }: NewProps) {
  const [first, setFirst] = useState<NewFields | 'nothing'>();
  const context = useContextOf(serverId);
  if (first !== undefined)
    return <Editor {...rest} {...{ serverId, onClose }} {...(first !== 'nothing' && { first })} />;
  return (
    <Dialog title={flowSettings.create} size="l" onClose={onClose}>
      <Rows label={t.templates}>
        <Choosable icon="plus" title={t.scratch} note={t.scratchMore} onChoose={() => setFirst('nothing')} />
        {templates.map(({ id, icon, title, description, fields }) => (
          <Choosable
            key={id}
            {...{ icon, title }}
            note={description}
            onChoose={() => setFirst(fields(context))}
          />
        ))}
      </Rows>
    </Dialog>
  );
}

interface ChoosableProps {
  icon: IconName;
  title: string;
  note: string;
  onChoose: () => void;
}

const Choosable = ({ icon, title, note, onChoose }: ChoosableProps) => (
  <Row
    mark={<Icon name={icon} />}
    title={title}
    note={note}
    actions={
      <Button size="small" aria-label={t.useNamed({ name: title })} onClick={onChoose}>
        {t.use}
      </Button>
    }
  />
);

/** The context for templates: the server's channels, and the user. */
function useContextOf(serverId: string): TemplateContext {
  const channels = useChannels(serverId);
  const { state } = useServer(serverId);
  const channelId = channels[0]?.id ?? '';
  return {
    channelId,
    otherChannelId: channels[1]?.id ?? channelId,
    username: state?.user.username ?? '',
    timeZone: ownTimeZone(),
  };
}
