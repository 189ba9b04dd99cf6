import { useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useMay } from '../../may/index.ts';
import { useRows } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { channelSettings as t } from '../../strings/en/serverSettings.ts';
import { duration } from '../../strings/format.ts';
import { changesTo, mergedList } from '../../ui/changes.ts';
import {
  Checkbox,
  Dialog,
  Form,
  Select,
  Switch,
  TextArea,
  TextField,
  type Values,
  WithName,
} from '../../ui/index.ts';
import { Closed, RetentionField, retentionIn } from '../settings/index.ts';
import './ChannelDialog.css';

interface ChannelDialogProps {
  serverId: string;
  /** Undefined for a new channel. */
  channel?: Records['Channel'];
  /** The initial category of a new channel. */
  categoryId?: string | undefined;
  /** Called once the channel is saved and the dialog has closed. */
  onDone: (channel: { id: string; name: string }) => void;
  onClose: () => void;
}

type Channel = Records['Channel'];
type Wanted = Pick<Channel, 'name'> & Partial<Channel>;

/**
 * Creates a channel, or updates only the fields that the user changed, which keeps other users' changes
 * made since the dialog opened.
 */
async function store(
  serverId: string,
  now: Channel | undefined,
  before: Channel | undefined,
  wanted: Wanted,
) {
  if (!now || !before) return api(serverId).channelInsert({ serverId, ...wanted });
  const changes = changesTo<Partial<Channel>>(before, wanted);
  if (!changes) return now;
  if (changes.roleIds) changes.roleIds = mergedList(before.roleIds, changes.roleIds, now.roleIds);
  return api(serverId).channelUpdate({ channelId: now.id, ...changes });
}

/** Creates or edits a channel. */
export default function ChannelDialog({
  serverId,
  channel,
  categoryId,
  onDone,
  onClose,
}: ChannelDialogProps) {
  const may = useMay(serverId, channel ? 'channel update' : 'channel insert');
  const mayKeep = useMay(serverId, channel ? 'channel update' : 'channel insert', {}, { setsRetention: {} });
  const [before] = useState(channel);
  const [isPrivate, setPrivate] = useState(channel?.private ?? false);

  async function save(values: Values): Promise<void> {
    const fields = {
      name: values.text('name').trim(),
      description: values.optional('description') ?? null,
      ...(values.isOn('categoryId') && { categoryId: values.optional('categoryId') ?? null }),
      private: isPrivate,
      readonly: values.isOn('readonly'),
      slowSeconds: Number(values.text('slowSeconds')),
      ...(mayKeep.allowed && { retentionDays: retentionIn(values) }),
      // A public channel keeps its roles in case it becomes private again.
      ...(isPrivate && { roleIds: values.all('roleIds') }),
    };
    const made = await store(serverId, channel, before, fields);
    onClose();
    onDone(made);
  }

  return (
    <Dialog
      title={channel ? <WithName words={t.editNamed} values={{ name: channel.name }} /> : t.create}
      onClose={onClose}
      isFirm
    >
      <Form submit={may.allowed && (channel ? common.save : t.make)} onCancel={onClose} onSubmit={save}>
        <Closed permission={may} />
        <TextField
          name="name"
          label={common.name}
          icon="hash"
          defaultValue={channel?.name}
          maxLength={100}
          required
          autoFocus
        />
        <TextArea
          name="description"
          label={common.description}
          hint={t.descriptionHint}
          defaultValue={channel?.description ?? ''}
          most={4000}
          rows={2}
          isOptional
        />
        <CategoryField serverId={serverId} chosen={channel ? channel.categoryId : categoryId} />
        <Switch name="readonly" label={t.isReadonly} hint={t.readonlyHint} defaultOn={channel?.readonly} />
        <Switch
          name="private"
          label={common.private}
          hint={t.privateHint}
          isOn={isPrivate}
          onChange={setPrivate}
        />
        <SlowField seconds={channel?.slowSeconds ?? 0} />
        {mayKeep.allowed && (
          <RetentionField defaultValue={channel?.retentionDays ?? null} hint={t.retentionHint} />
        )}
        {isPrivate && <RolesField serverId={serverId} chosen={channel?.roleIds ?? []} />}
      </Form>
    </Dialog>
  );
}

/** The category field. Hidden in servers without categories. */
function CategoryField({ serverId, chosen }: { serverId: string; chosen: string | null | undefined }) {
  const categories = useRows('category', 'serverId', serverId);
  if (categories.length === 0) return null;
  return (
    <Select
      name="categoryId"
      label={t.category}
      defaultValue={chosen ?? ''}
      options={[
        { value: '', label: t.noCategory },
        ...categories.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

/** Choices for slow mode, in seconds. */
const slowChoices = [0, 5, 10, 30, 60, 300, 900, 3_600, 21_600];

/** The slow mode field. Includes the current value even if an API client set one that is not in the list. */
function SlowField({ seconds }: { seconds: number }) {
  const choices = [...new Set([...slowChoices, seconds])].sort((one, other) => one - other);
  return (
    <Select
      name="slowSeconds"
      label={t.slow}
      hint={t.slowHint}
      defaultValue={String(seconds)}
      options={choices.map((each) => ({
        value: String(each),
        label: each === 0 ? t.notSlow : duration(each),
      }))}
    />
  );
}

/** The field for the roles that can see a private channel. */
function RolesField({ serverId, chosen }: { serverId: string; chosen: readonly string[] }) {
  const roles = useRows('role', 'serverId', serverId);
  return (
    <fieldset className="channel-dialog-roles">
      <legend className="field-label">{t.roles}</legend>
      {roles.map((role) => (
        <Checkbox
          key={role.id}
          name="roleIds"
          value={role.id}
          label={role.name}
          defaultOn={chosen.includes(role.id)}
        />
      ))}
    </fieldset>
  );
}
