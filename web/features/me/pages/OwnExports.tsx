import { useEffect, useState } from 'react';
import { base } from '../../../api/base.ts';
import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { mayDownloadExport } from '../../../api/raw.ts';
import { ownExports as t } from '../../../strings/en/account.ts';
import { common } from '../../../strings/en/common.ts';
import { bytes, dateTime, shortTime } from '../../../strings/format.ts';
import { Button, Confirm, IconButton, Spinner, toast } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import { AskedRows, Facts, Group, Row } from '../../settings/index.ts';

type Export = Records['PersonExport'];

/** Poll interval for a running export, in ms. */
const LOOK_MS = 2_500;

/** Archives of the user's data, with controls to start, monitor, download and delete them. */
export function OwnExports() {
  /** Number of exports started while the page is open. The list is reloaded after each. */
  const [started, setStarted] = useState(0);
  const [isStarting, setStarting] = useState(false);
  const [deleting, setDeleting] = useState<Export>();
  const pages = usePages(String(started), (cursor) =>
    api('none').personExports({ ...(cursor && { cursor }) }),
  );
  const { rows, put } = pages;
  const running = rows?.find(({ state }) => state === 'running')?.id;
  useEffect(() => {
    if (running === undefined) return;
    const looking = setInterval(async () => {
      const row = await api('none')
        .personExportById({ id: running })
        .catch(() => undefined);
      if (row) put(running, row);
    }, LOOK_MS);
    return () => clearInterval(looking);
  }, [running, put]);
  async function start(): Promise<void> {
    setStarting(true);
    try {
      await withProof(() => api('none').personExportInsert());
      setStarted((count) => count + 1);
    } catch (error) {
      toast.error(error);
    }
    setStarting(false);
  }
  return (
    <Group
      title={t.title}
      lead={t.lead}
      action={
        <Button icon="archive" isPending={isStarting} onClick={start}>
          {t.start}
        </Button>
      }
    >
      <AskedRows label={t.title} pages={pages} empty={{ icon: 'archive', title: t.none, text: t.noneMore }}>
        {(row) => <ExportRow key={row.id} row={row} onDelete={() => setDeleting(row)} />}
      </AskedRows>
      {deleting && (
        <Confirm
          title={t.ask}
          text={deleting.state === 'running' ? t.askRunning : t.askMore}
          action={common.delete}
          isDanger
          onConfirm={async () => {
            await api('none').personExportDelete({ id: deleting.id });
            put(deleting.id, undefined);
            toast.show(t.deleted, { kind: 'good' });
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Group>
  );
}

function ExportRow({ row, onDelete }: { row: Export; onDelete: () => void }) {
  const when = shortTime(row.createdAt);
  return (
    <Row
      title={<span title={dateTime(row.createdAt)}>{when}</span>}
      note={
        <Facts
          of={[
            row.state === 'running' && <Spinner key="running" size={14} />,
            t.states[row.state],
            t.messages({ count: row.messages }),
            row.bytes !== null && bytes(row.bytes),
            row.failure && t.failures[row.failure],
            row.state === 'done' && t.until({ when: shortTime(row.expiresAt) }),
          ]}
        />
      }
      actions={
        <>
          {row.state === 'done' && (
            <Button size="small" aria-label={t.downloadOf({ when })} onClick={() => download(row.id)}>
              {common.download}
            </Button>
          )}
          <IconButton size="small" icon="trash" label={t.deleteOf({ when })} onClick={onDelete} />
        </>
      }
    />
  );
}

/**
 * Downloads an archive once the user has confirmed their identity. The browser handles the download, because
 * it may be large.
 */
async function download(id: string): Promise<void> {
  try {
    await withProof(() => mayDownloadExport(id));
  } catch (error) {
    toast.error(error);
    return;
  }
  const link = document.createElement('a');
  link.href = `${base}/api/people/exports/${encodeURIComponent(id)}/content`;
  link.download = '';
  link.click();
}
