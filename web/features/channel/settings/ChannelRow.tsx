import type { KeyboardEvent, PointerEvent } from 'react';
import type { Records } from '../../../api/records.ts';
import { useRows } from '../../../replica/hooks.ts';
import { channelSettings as t } from '../../../strings/en/serverSettings.ts';
import { list } from '../../../strings/format.ts';
import { Badge, Icon, IconButton, names } from '../../../ui/index.ts';
import { Facts, Row } from '../../settings/index.ts';
import { RowMenu } from '../../settings/server/index.ts';
import './channels.css';

interface ChannelRowProps {
  channel: Records['Channel'];
  isClosed: boolean;
  /** True during a search. The search hides neighbouring rows, so the row can't be moved by one step. */
  isAlone: boolean;
  isDragged: boolean;
  /** The side of this row on which the dragged row would be dropped. */
  mark: 'before' | 'after' | undefined;
  onGrip: (event: PointerEvent<HTMLElement>) => void;
  onStep: (by: number) => void;
  onAsk: (act: 'edit' | 'delete') => void;
}

/** A channel in the reorderable list. */
export function ChannelRow({
  channel,
  isClosed,
  isAlone,
  isDragged,
  mark,
  onGrip,
  onStep,
  onAsk,
}: ChannelRowProps) {
  const roles = useRows('role', 'serverId', channel.serverId);
  const { name } = channel;
  const seers = roles.filter(({ id }) => channel.roleIds.includes(id)).map((role) => role.name);

  return (
    <Row
      id={channel.id}
      className={names(
        'setting-channel-row',
        isDragged && 'setting-channel-row-dragged',
        mark && `setting-channel-row-${mark}`,
      )}
      mark={isClosed || isAlone ? <Icon name="hash" /> : <Grip name={name} onGrip={onGrip} onStep={onStep} />}
      title={name}
      badges={
        <>
          {channel.private && <Badge kind="blue">{t.isPrivate}</Badge>}
          {channel.readonly && <Badge kind="warm">{t.isReadonly}</Badge>}
        </>
      }
      note={
        <Facts
          of={[
            channel.private && (seers.length > 0 ? t.seenBy({ roles: list(seers) }) : t.seenByAdmins),
            channel.description,
          ]}
        />
      }
      actions={!isClosed && <Actions name={name} isAlone={isAlone} onStep={onStep} onAsk={onAsk} />}
    />
  );
}

function Grip({ name, onGrip, onStep }: Pick<ChannelRowProps, 'onGrip' | 'onStep'> & { name: string }) {
  function keyed(event: KeyboardEvent<HTMLElement>): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const grip = event.currentTarget;
    onStep(by);
    // Moving the row in the DOM loses the focus.
    requestAnimationFrame(() => grip.focus());
  }
  return (
    <IconButton
      className="setting-channel-grip"
      icon="grip-vertical"
      label={t.move({ name })}
      onPointerDown={onGrip}
      onKeyDown={keyed}
    />
  );
}

interface ActionsProps extends Pick<ChannelRowProps, 'isAlone' | 'onStep' | 'onAsk'> {
  name: string;
}

const Actions = ({ name, isAlone, onStep, onAsk }: ActionsProps) => (
  <>
    <IconButton icon="pencil" label={t.editNamed({ name })} onClick={() => onAsk('edit')} />
    <RowMenu
      name={name}
      items={[
        { label: t.first, icon: 'arrow-up', onSelect: () => onStep(Number.NEGATIVE_INFINITY) },
        !isAlone && { label: t.up, icon: 'arrow-up', onSelect: () => onStep(-1) },
        !isAlone && { label: t.down, icon: 'arrow-down', onSelect: () => onStep(1) },
        { label: t.last, icon: 'arrow-down', onSelect: () => onStep(Number.POSITIVE_INFINITY) },
        'line',
        { label: t.delete, icon: 'trash', isDanger: true, onSelect: () => onAsk('delete') },
      ]}
    />
  </>
);
