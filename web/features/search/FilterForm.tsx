import { useChannels, useRow, useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { search as t } from '../../strings/en/panels.ts';
import { type Anchor, Checkbox, Form, Popover, Select, TextField, type Values } from '../../ui/index.ts';
import { channelName } from '../direct/index.ts';
import type { Query } from './query.ts';

interface FilterFormProps {
  anchor: Anchor;
  query: Query;
  serverId: string;
  onChange: (query: Query) => void;
  onClose: () => void;
}

/** All filters of a search in one form. */
export function FilterForm({ anchor, query, serverId, onChange, onClose }: FilterFormProps) {
  const channels = useChannels(serverId);
  const session = useSession();
  const direct = useRow('channel', query.in);
  const submit = (values: Values) => {
    onClose();
    onChange({
      words: query.words,
      in: values.optional('in'),
      from: values.optional('from')?.trim().replace(/^@/, ''),
      after: values.optional('after'),
      before: values.optional('before'),
      is: values.optional('kind') as Query['is'],
      has: values.optional('has') as Query['has'],
      mentions: values.isOn('mentions') ? 'me' : undefined,
    });
  };
  return (
    <Popover
      anchor={anchor}
      onClose={onClose}
      label={t.filters}
      placement="below-end"
      className="search-filters"
    >
      <Form onSubmit={submit} submit={t.apply} label={t.filters}>
        <Select
          label={t.channel}
          name="in"
          defaultValue={query.in ?? ''}
          options={[
            { value: '', label: t.everywhere },
            ...channels.map(({ name }) => ({ value: name, label: name })),
            ...(direct ? [{ value: direct.id, label: channelName(session, direct) }] : []),
          ]}
        />
        <TextField
          label={t.author}
          name="from"
          icon="at-sign"
          hint={common.username}
          defaultValue={query.from ?? ''}
          maxLength={100}
        />
        <div className="search-days">
          <TextField label={t.after} name="after" type="date" defaultValue={query.after ?? ''} />
          <TextField label={t.before} name="before" type="date" defaultValue={query.before ?? ''} />
        </div>
        <Select
          // A control named `is` would break rendering, because a form exposes its controls as properties.
          label={t.kind}
          name="kind"
          defaultValue={query.is ?? ''}
          options={[
            { value: '', label: t.kinds.all },
            { value: 'person', label: t.kinds.person },
            { value: 'agent', label: t.kinds.agent },
            { value: 'thread', label: t.kinds.thread },
            { value: 'pinned', label: t.kinds.pinned },
          ]}
        />
        <Select
          label={t.has}
          name="has"
          defaultValue={query.has ?? ''}
          options={[
            { value: '', label: t.kinds.anything },
            { value: 'file', label: t.kinds.file },
            { value: 'link', label: t.kinds.link },
          ]}
        />
        <Checkbox label={t.kinds.me} name="mentions" defaultOn={query.mentions === 'me'} />
      </Form>
    </Popover>
  );
}
