import { useRef, useState } from 'react';
import { useChannels, useRows } from '../../../replica/hooks.ts';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Dialog, IconButton, Select, TextField } from '../../../ui/index.ts';
import { EmojiPicker } from '../../emoji/index.ts';
import { PickMember, useUser } from '../../settings/server/index.ts';
import { TemplateField } from './TemplateField.tsx';
import { type Insertable, insert, pathIn, type ValueKind } from './values.ts';

export interface ValueFieldProps {
  serverId: string;
  name: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
  values: readonly Insertable[];
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
}

interface ChoiceOf {
  value: string;
  label: string;
}

const OTHER = ' other';
const SEARCH = ' search';

interface PickFieldProps extends ValueFieldProps {
  /** The kind of values to offer; undefined for none. */
  kind?: ValueKind;
  records: readonly ChoiceOf[];
  /** Opens a search. */
  search?: { label: string; onOpen: () => void };
}

/** Selects a record from a list, or a value of the trigger or an earlier step, or takes any template. */
function PickField({ kind, records, search, ...props }: PickFieldProps) {
  const { name, label, value, onValue, values, isOptional, isDisabled } = props;
  const [isOther, setOther] = useState(false);
  const own = values
    .filter((one) => one.kind === kind)
    .map(({ path, label }) => ({ value: insert(path), label }));
  const known = [...own, ...records];
  const path = pathIn(value);
  const normal = path === undefined ? value : insert(path);
  const isKnown = normal === '' || known.some((one) => one.value === normal);
  const asText = isOther || !isKnown;
  return (
    <>
      <Select
        label={label}
        name={asText ? undefined : name}
        isOptional={isOptional}
        disabled={isDisabled}
        value={asText ? OTHER : normal}
        onValue={(next) => {
          if (next === SEARCH) return search?.onOpen();
          setOther(next === OTHER);
          if (next !== OTHER) onValue(next);
        }}
        options={[
          { value: '', label: isOptional ? t.none : t.choose },
          ...known,
          ...(search ? [{ value: SEARCH, label: search.label }] : []),
          { value: OTHER, label: t.other },
        ]}
      />
      {asText && (
        <TemplateField
          {...{ name, value, values, isDisabled }}
          label={t.otherOf({ name: label })}
          onValue={(next) => {
            // Stays open while the text is empty or happens to be the ID of a record.
            setOther(true);
            onValue(next);
          }}
          isCode
        />
      )}
    </>
  );
}

export const ChannelField = (props: ValueFieldProps) => {
  const channels = useChannels(props.serverId);
  return (
    <PickField
      {...props}
      kind="channel"
      records={channels.map(({ id, name }) => ({ value: id, label: `#${name}` }))}
    />
  );
};

export const RoleField = (props: ValueFieldProps) => {
  const roles = useRows('role', 'serverId', props.serverId);
  return (
    <PickField {...props} kind="role" records={roles.map(({ id, name }) => ({ value: id, label: name }))} />
  );
};

/** A field for a message or thread. It offers only values, because there is no list of records to select from. */
export const OwnField = ({ kind, ...props }: ValueFieldProps & { kind: 'message' | 'thread' }) => (
  <PickField {...props} kind={kind} records={[]} />
);

export function PersonField(props: ValueFieldProps) {
  const { serverId, value, onValue } = props;
  const [isSearching, setSearching] = useState(false);
  const user = useUser(
    serverId,
    pathIn(value) === undefined && /^[0-9a-f-]{36}$/i.test(value) ? value : null,
  );
  return (
    <>
      <PickField
        {...props}
        kind="user"
        records={user ? [{ value: user.id, label: `${user.name} (@${user.username})` }] : []}
        search={{ label: t.search, onOpen: () => setSearching(true) }}
      />
      {isSearching && (
        <Dialog title={t.searchTitle} onClose={() => setSearching(false)}>
          <PickMember
            serverId={serverId}
            onPick={({ userId }) => {
              setSearching(false);
              onValue(userId);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

export const FlowField = (props: ValueFieldProps) => {
  const flows = useRows('flow', 'serverId', props.serverId);
  return <PickField {...props} records={flows.map(({ id, name }) => ({ value: id, label: name }))} />;
};

export function EmojiField({ name, label, value, onValue, serverId, isDisabled }: ValueFieldProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <TextField
        {...{ name, label, value }}
        disabled={isDisabled}
        onText={onValue}
        after={
          !isDisabled && (
            <IconButton
              ref={button}
              size="small"
              icon="smile"
              label={t.chooseEmoji}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            />
          )
        }
      />
      {isOpen && (
        <EmojiPicker anchor={button} serverId={serverId} onPick={onValue} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
