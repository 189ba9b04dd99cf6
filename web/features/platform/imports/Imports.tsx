import { useEffect, useState } from 'react';
import { api } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { common } from '../../../strings/en/common.ts';
import { platform } from '../../../strings/en/platform.ts';
import { claimLinks, imports as t } from '../../../strings/en/platformSettings.ts';
import { bytes, dateTime, number, shortTime } from '../../../strings/format.ts';
import { Button, Confirm, IconButton, Spinner, toast } from '../../../ui/index.ts';
import { ClaimLinks } from '../../claim/index.ts';
import { withProof } from '../../session/index.ts';
import { AskedRows, ChooseFile, Create, Facts, Page, Row } from '../../settings/index.ts';
import { Details } from './Details.tsx';
import { NewImport } from './NewImport.tsx';
import { sendArchive } from './send.ts';
import { type Import, whatOf } from './words.ts';

/** Poll interval for running imports, in ms. */
const LOOK_MS = 2_500;

/** Imports from other products or installations, with controls to upload, test, start, monitor and cancel them. */
export function Imports() {
  /**
   * Changes when an import is created and when an upload ends, which reloads the list. A small archive may be
   * uploaded before the list contains its import.
   */
  const [changes, setChanges] = useState(0);
  const reload = () => setChanges((count) => count + 1);
  /** The imports whose archives this page is uploading. */
  const [sending, setSending] = useState<readonly string[]>([]);
  const pages = usePages(
    String(changes),
    (cursor) => api('none').platformImports({ ...(cursor && { cursor }) }),
    { isSearch: true },
  );
  const { rows, put } = pages;
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<string>();
  const [deleting, setDeleting] = useState<Import>();
  /** The server whose claim links are shown. */
  const [claiming, setClaiming] = useState<string>();
  const running = rows?.find(({ state }) => state === 'running')?.id;
  useEffect(() => {
    if (running === undefined) return;
    const looking = setInterval(async () => {
      const row = await api('none')
        .platformImportById({ id: running })
        .catch(() => undefined);
      if (row) put(running, row);
    }, LOOK_MS);
    return () => clearInterval(looking);
  }, [running, put]);
  const send = async (row: Import, file: File) => {
    setSending((ids) => [...ids, row.id]);
    await sendArchive(row, file, (next) => put(row.id, next)).catch((error) => toast.error(error));
    setSending((ids) => ids.filter((id) => id !== row.id));
    reload();
  };
  const start = (row: Import, dryRun: boolean) =>
    withProof(() => api('none').platformImportStart({ id: row.id, dryRun }))
      .then((next) => put(row.id, next))
      .catch((error) => toast.error(error));
  return (
    <Page
      title={platform.sections.imports}
      lead={t.lead}
      action={<Create label={t.create} onClick={() => setCreating(true)} />}
    >
      <AskedRows
        label={platform.sections.imports}
        pages={pages}
        empty={{ icon: 'upload', title: t.none, text: t.noneMore }}
      >
        {(row) => (
          <ImportRow
            key={row.id}
            row={row}
            isSending={sending.includes(row.id)}
            onFile={(file) => send(row, file)}
            onStart={(dryRun) => start(row, dryRun)}
            onShow={() => setShown(row.id)}
            onClaim={setClaiming}
            onDelete={() => setDeleting(row)}
          />
        )}
      </AskedRows>
      {isCreating && (
        <NewImport
          onMade={(row, file) => {
            reload();
            void send(row, file);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {shown !== undefined && <Details id={shown} onClose={() => setShown(undefined)} />}
      {claiming !== undefined && <ClaimLinks serverId={claiming} onClose={() => setClaiming(undefined)} />}
      {deleting && (
        <Confirm
          title={t.ask}
          text={deleting.state === 'running' ? t.askRunning : t.askMore}
          action={deleting.state === 'running' ? t.cancel : common.delete}
          isDanger
          onConfirm={async () => {
            await api('none').platformImportDelete({ id: deleting.id });
            put(deleting.id, undefined);
            toast.show(t.deleted, { kind: 'good' });
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  );
}

interface ImportRowProps {
  row: Import;
  /** Whether this page is uploading the import's archive. */
  isSending: boolean;
  onFile: (file: File) => void;
  onStart: (dryRun: boolean) => void;
  onShow: () => void;
  onClaim: (serverId: string) => void;
  onDelete: () => void;
}

function ImportRow({ row, isSending, onFile, onStart, onShow, onClaim, onDelete }: ImportRowProps) {
  const { state, createdAt, bytes: size, received, serverId } = row;
  const what = whatOf(row);
  const canStart = state === 'ready' || state === 'planned';
  const isRunning = state === 'running';
  /** Resumes an interrupted upload. */
  const resume = (file: File) =>
    file.size === size ? onFile(file) : toast.show(t.otherFile, { kind: 'bad' });
  return (
    <Row
      title={<bdi>{what}</bdi>}
      note={
        <Facts
          of={[
            <span key="at" title={dateTime(createdAt)}>
              {shortTime(createdAt)}
            </span>,
            isRunning && <Spinner key="running" size={14} />,
            <span key="state" role="status">
              {isRunning && row.dryRun ? t.trying : t.states[state]}
            </span>,
            state === 'uploading' && t.sent({ sent: bytes(received), total: bytes(size) }),
            isRunning && progressOf(row),
          ]}
        />
      }
      actions={
        <>
          {state === 'uploading' && !isSending && <ChooseFile label={t.choose} onFile={resume} />}
          {canStart && (
            <>
              <Button size="small" onClick={() => onStart(true)}>
                {t.tryIt}
              </Button>
              <Button size="small" kind="main" onClick={() => onStart(false)}>
                {t.start}
              </Button>
            </>
          )}
          {state === 'done' && serverId !== null && (
            <Button size="small" aria-label={t.claimOf({ what })} onClick={() => onClaim(serverId)}>
              {claimLinks.title}
            </Button>
          )}
          <Button size="small" aria-label={t.detailsOf({ what })} onClick={onShow}>
            {t.details}
          </Button>
          <IconButton
            size="small"
            icon="trash"
            label={isRunning ? t.cancelOf({ what }) : t.deleteOf({ what })}
            onClick={onDelete}
          />
        </>
      }
    />
  );
}

const progressOf = ({ rows, totalRows }: Import): string =>
  totalRows === null ? t.rows({ count: rows }) : t.rowsOf({ rows: number(rows), total: number(totalRows) });
