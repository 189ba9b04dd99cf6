import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { ago } from '../../../strings/format.ts';
import {
  Badge,
  Button,
  Confirm,
  Dialog,
  ErrorText,
  Form,
  Icon,
  IconButton,
  TextField,
  WithName,
} from '../../../ui/index.ts';
import { askAccount, hasPasskeys, type Myself, newPasskey, withProof } from '../../session/index.ts';
import { Facts, Group, Row, Rows } from '../../settings/index.ts';

type Passkey = Records['Passkey'];

async function allPasskeys(): Promise<Passkey[]> {
  const found: Passkey[] = [];
  for await (const passkey of api('none').passkeys({ limit: 100 })) found.push(passkey);
  return found;
}

/** The user's passkeys. */
export function Passkeys({ me }: { me: Myself }) {
  const { data, error, again } = useAsked('passkeys', allPasskeys);
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
  const reload = async () => {
    await again();
    await askAccount();
  };
  return (
    <Group
      title={t.passkeys.title}
      lead={t.passkeys.lead}
      action={
        hasPasskeys() && (
          <Button icon="fingerprint" onClick={() => setAdding(true)}>
            {t.passkeys.add}
          </Button>
        )
      }
    >
      {!hasPasskeys() && (
        <p className="setting-hint">
          {t.passkeys.notHere({ address: `http://localhost${location.port && `:${location.port}`}` })}
        </p>
      )}
      <ErrorText error={error} onAgain={again} />
      {data && data.length > 0 && (
        <Rows label={t.passkeys.title}>
          {data.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </Rows>
      )}
      {isAdding && <AddPasskey onDone={reload} onClose={() => setAdding(false)} />}
      {renamed && <RenamePasskey passkey={renamed} onDone={again} onClose={() => setRenamed(undefined)} />}
      {removed && (
        <Confirm
          title={<WithName words={t.passkeys.removeAsked} values={{ name: removed.name }} />}
          text={me.hasPassword ? t.passkeys.removeMore : t.passkeys.removeLast}
          action={t.passkeys.remove}
          isDanger
          onConfirm={async () => {
            await withProof(() => api('none').passkeyDelete({ id: removed.id }));
            await reload();
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Group>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

const PasskeyRow = ({ passkey, onRename, onRemove }: PasskeyRowProps) => (
  <Row
    mark={<Icon name="fingerprint" size={22} />}
    title={passkey.name}
    badges={passkey.backedUp && <Badge>{t.passkeys.backedUp}</Badge>}
    note={
      <Facts
        of={[
          passkey.lastUsedAt === null
            ? t.passkeys.unused
            : t.passkeys.used({ when: ago(passkey.lastUsedAt) }),
          t.passkeys.made({ when: ago(passkey.createdAt) }),
          passkey.origin !== location.origin && t.passkeys.at({ origin: passkey.origin }),
        ]}
      />
    }
    actions={
      <>
        <IconButton
          size="small"
          icon="pencil"
          label={t.passkeys.renameOf({ name: passkey.name })}
          onClick={onRename}
        />
        <IconButton
          size="small"
          icon="trash"
          label={common.removeNamed({ name: passkey.name })}
          onClick={onRemove}
        />
      </>
    }
  />
);

interface PartProps {
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

function AddPasskey({ onDone, onClose }: PartProps) {
  return (
    <Dialog title={t.passkeys.add} size="s" isFirm onClose={onClose}>
      <Form
        submit={t.passkeys.goOn}
        onCancel={onClose}
        onSubmit={async (values) => {
          // Confirms the user's identity first. Otherwise, the browser's passkey dialog might appear twice.
          const options = await withProof(() => api('none').passkeyOptions());
          const passkey = await newPasskey(options);
          await withProof(() => api('none').passkeyInsert({ name: values.text('name').trim(), passkey }));
          await onDone();
          onClose();
        }}
      >
        <p>{t.passkeys.addMore}</p>
        <TextField
          label={common.name}
          name="name"
          hint={t.passkeys.nameHint}
          defaultValue={t.passkeys.usualName}
          required
          maxLength={100}
        />
      </Form>
    </Dialog>
  );
}

const RenamePasskey = ({ passkey, onDone, onClose }: PartProps & { passkey: Passkey }) => (
  <Dialog title={t.passkeys.rename} size="s" onClose={onClose}>
    <Form
      onCancel={onClose}
      onSubmit={async (values) => {
        await api('none').passkeyUpdate({ id: passkey.id, name: values.text('name').trim() });
        await onDone();
        onClose();
      }}
    >
      <TextField label={common.name} name="name" defaultValue={passkey.name} required maxLength={100} />
    </Form>
  </Dialog>
);
