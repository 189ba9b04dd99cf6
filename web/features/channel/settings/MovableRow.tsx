import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { channelSettings as t } from '../../../strings/en/serverSettings.ts';
import { Icon, IconButton, type IconName, names } from '../../../ui/index.ts';
import { Row } from '../../settings/index.ts';
import { RowMenu } from '../../settings/server/index.ts';
import './channels.css';

/** The state of a row in the reorderable list, and its actions. */
export interface MovableProps {
  isClosed: boolean;
  /** True during a search. The search hides neighbouring rows, so the row can't be moved by one step. */
  isAlone: boolean;
  isDragged: boolean;
  /** The side of this row on which the dragged row would be dropped. */
  mark: 'before' | 'after' | undefined;
  onHandleDown: (event: PointerEvent<HTMLElement>) => void;
  onStep: (by: number) => void;
  onAsk: (act: 'edit' | 'delete') => void;
}

interface MovableRowProps extends MovableProps {
  id: string;
  name: string;
  icon: IconName;
  badges?: ReactNode;
  note?: ReactNode;
  className?: string;
  /** The labels of the actions. */
  edit: string;
  deletion: string;
}

/** A row that can be moved by its handle or its menu. */
export function MovableRow({ id, name, icon, badges, note, className, ...props }: MovableRowProps) {
  const { isClosed, isAlone, isDragged, mark } = props;
  return (
    <Row
      id={id}
      className={names(
        'setting-channel-row',
        className,
        isDragged && 'setting-channel-row-dragged',
        mark && `setting-channel-row-${mark}`,
      )}
      mark={isClosed || isAlone ? <Icon name={icon} /> : <DragHandle name={name} {...props} />}
      title={name}
      badges={badges}
      note={note}
      actions={!isClosed && <Actions name={name} {...props} />}
    />
  );
}

function DragHandle({
  name,
  onHandleDown,
  onStep,
}: Pick<MovableProps, 'onHandleDown' | 'onStep'> & { name: string }) {
  function keyed(event: KeyboardEvent<HTMLElement>): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    onStep(by);
    // Moving the row in the DOM loses the focus.
    requestAnimationFrame(() => handle.focus());
  }
  return (
    <IconButton
      className="setting-channel-handle"
      icon="grip-vertical"
      label={t.move({ name })}
      onPointerDown={onHandleDown}
      onKeyDown={keyed}
    />
  );
}

type ActionsProps = Pick<MovableRowProps, 'name' | 'edit' | 'deletion' | 'isAlone' | 'onStep' | 'onAsk'>;

const Actions = ({ name, edit, deletion, isAlone, onStep, onAsk }: ActionsProps) => (
  <>
    <IconButton icon="pencil" label={edit} onClick={() => onAsk('edit')} />
    <RowMenu
      name={name}
      items={[
        { label: t.first, icon: 'arrow-up', onSelect: () => onStep(Number.NEGATIVE_INFINITY) },
        !isAlone && { label: t.up, icon: 'arrow-up', onSelect: () => onStep(-1) },
        !isAlone && { label: t.down, icon: 'arrow-down', onSelect: () => onStep(1) },
        { label: t.last, icon: 'arrow-down', onSelect: () => onStep(Number.POSITIVE_INFINITY) },
        'line',
        { label: deletion, icon: 'trash', isDanger: true, onSelect: () => onAsk('delete') },
      ]}
    />
  </>
);
