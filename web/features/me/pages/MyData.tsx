import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { ownData } from '../../../api/raw.ts';
import { Link } from '../../../Link.tsx';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import {
  Button,
  Choice,
  createStore,
  Dialog,
  ErrorText,
  Form,
  saveFile,
  TextField,
  toast,
} from '../../../ui/index.ts';
import { askAccount, lastAdminId, type Myself, withProof } from '../../session/index.ts';
import { Group, Note, Page, Row, Rows } from '../../settings/index.ts';
import { OwnExports } from './OwnExports.tsx';

async function madeServers(): Promise<Records['OwnServer'][]> {
  const found: Records['OwnServer'][] = [];
  for await (const server of api('none').ownServers({ limit: 100 }))
    if (server.isServerCreator) found.push(server);
  return found;
}

/** Data export and account deletion. */
export function MyData({ me }: { me: Myself }) {
  const { data: made, error, again } = useAsked('made servers', madeServers);
  const last = useAsked('last admin', async () => (me.platformAdmin ? lastAdminId() : null));
  const [isClosing, setClosing] = useState(false);
  return (
    <Page title={t.sections.data} lead={t.data.lead}>
      <OwnExports />
      <OwnCopy me={me} />
      <Group title={t.data.close} lead={t.data.closeMore} isDanger>
        <ErrorText error={error} onAgain={again} />
        {made && made.length > 0 && (
          <>
            <Note>{t.data.handOver({ count: made.length })}</Note>
            <Rows label={t.data.made}>
              {made.map(({ id, name }) => (
                <Row
                  key={id}
                  title={name}
                  actions={
                    <Link to={{ page: 'serverSettings', serverId: id, section: 'danger' }}>
                      {t.data.toServer}
                    </Link>
                  }
                />
              ))}
            </Rows>
          </>
        )}
        {last.data === me.id && <Note>{t.data.lastAdmin}</Note>}
        {made?.length === 0 && last.data !== me.id && (
          <div>
            <Button kind="danger" onClick={() => setClosing(true)}>
              {t.data.close}
            </Button>
          </div>
        )}
      </Group>
      {isClosing && <CloseAccount me={me} onClose={() => setClosing(false)} />}
    </Page>
  );
}

/** The export in progress. It continues while the user visits other pages. */
const copying = createStore<AbortController | undefined>(undefined);

/** Exports all of the user's data as a file, after the user has confirmed their identity. */
function OwnCopy({ me }: { me: Myself }) {
  const running = copying.use();
  const [error, setError] = useState<unknown>();
  async function save(): Promise<void> {
    const stopping = new AbortController();
    copying.set(stopping);
    setError(undefined);
    try {
      const copy = await withProof(() => ownData(stopping.signal));
      saveFile(`${me.username}.jsonl`, 'application/jsonl', copy);
      toast.show(t.data.saved, { kind: 'good' });
    } catch (reason) {
      if (!stopping.signal.aborted) setError(reason);
    }
    copying.set(undefined);
  }
  return (
    <Group
      title={t.data.copy}
      lead={t.data.copyMore}
      action={
        <>
          {running && (
            <Button kind="quiet" onClick={() => running.abort()}>
              {common.cancel}
            </Button>
          )}
          <Button icon="download" isPending={running !== undefined} onClick={save}>
            {common.download}
          </Button>
        </>
      }
    >
      <ErrorText error={error} />
    </Group>
  );
}

/** Deletes the account permanently. The user types their username to confirm. */
function CloseAccount({ me, onClose }: { me: Myself; onClose: () => void }) {
  return (
    <Dialog title={t.data.close} isFirm size="s" onClose={onClose}>
      <Form
        submit={t.data.closeNow}
        isDanger
        onCancel={onClose}
        onSubmit={async (values) => {
          const messages = values.text('messages') === 'delete' ? 'delete' : 'keep';
          await withProof(() =>
            api('none').personClose({ username: values.text('username').trim(), messages }),
          );
          await askAccount();
        }}
      >
        <p>{t.data.closeNowMore}</p>
        <Choice
          label={t.data.messages}
          name="messages"
          defaultValue="keep"
          options={[
            { value: 'keep', label: t.data.keep },
            { value: 'delete', label: common.delete },
          ]}
          hint={t.data.messagesMore}
        />
        <TextField
          label={t.data.type({ username: me.username })}
          name="username"
          required
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form>
    </Dialog>
  );
}
