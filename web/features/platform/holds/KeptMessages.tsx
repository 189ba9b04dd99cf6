import { base } from '../../../api/base.ts';
import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { holds as t } from '../../../strings/en/platformSettings.ts';
import { bytes, dateTime, shortTime } from '../../../strings/format.ts';
import { Dialog } from '../../../ui/index.ts';
import { AskedRows, Facts, Row } from '../../settings/index.ts';
import type { Hold } from './find.ts';

/** Page size. */
const MOST = 25;

type Kept = Records['KeptMessage'] & { username: string | undefined; deleter: string | undefined };

async function keptPage(id: string, cursor: string | undefined) {
  const asked = { id, limit: MOST, expand: 'creator', ...(cursor && { cursor }) };
  const page = await api('none').platformHoldMessages(asked);
  const users = page.expanded?.users ?? {};
  const rows = page.map(
    (row): Kept => ({
      ...row,
      username: users[row.creatorId]?.username,
      deleter: users[row.deleterId ?? '']?.username,
    }),
  );
  return Object.assign(rows, { nextCursor: page.nextCursor });
}

/** The deleted messages that a hold keeps. */
export function KeptMessages({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const pages = usePages(hold.id, (cursor) => keptPage(hold.id, cursor));
  return (
    <Dialog title={t.kept} size="l" onClose={onClose}>
      <p className="platform-muted platform-kept-lead">{t.keptLead}</p>
      <AskedRows
        label={t.kept}
        pages={pages}
        empty={{ icon: 'lock', title: t.keptNone, text: t.keptNoneMore }}
      >
        {(row) => <KeptRow key={row.id} holdId={hold.id} row={row} />}
      </AskedRows>
    </Dialog>
  );
}

/** The URL of a file that a hold keeps, authorized by the session's cookie. */
const contentOf = (holdId: string, fileId: string): string =>
  `${base}/api/people/platform/holds/${encodeURIComponent(holdId)}/files/${encodeURIComponent(fileId)}/content`;

function KeptRow({ holdId, row }: { holdId: string; row: Kept }) {
  const { content, channelName, creatorId, username, createdAt, deletedAt, deleter, versions, files } = row;
  return (
    <Row
      title={<bdi>{username === undefined ? creatorId : `@${username}`}</bdi>}
      note={
        <Facts
          of={[
            <bdi key="channel">{channelName === null ? t.noChannel : `#${channelName}`}</bdi>,
            <span key="at" title={dateTime(createdAt)}>
              {shortTime(createdAt)}
            </span>,
            <span key="deleted" title={dateTime(deletedAt)}>
              {deleter === undefined
                ? t.deletedAt({ when: shortTime(deletedAt) })
                : t.deletedBy({ when: shortTime(deletedAt), user: `@${deleter}` })}
            </span>,
          ]}
        />
      }
    >
      {content !== '' && (
        <p className="platform-kept" dir="auto">
          {content}
        </p>
      )}
      {files.length > 0 && (
        <ul className="platform-kept-list" aria-label={t.files}>
          {files.map(({ id, name, bytes: size }) => (
            <li key={id}>
              <a href={contentOf(holdId, id)} download={name} aria-label={t.downloadOf({ name })}>
                <bdi>{name}</bdi>
              </a>{' '}
              <span className="platform-muted">{bytes(size)}</span>
            </li>
          ))}
        </ul>
      )}
      {versions.length > 0 && (
        <details>
          <summary>{t.versions({ count: versions.length })}</summary>
          <ol className="platform-kept-list">
            {versions.map(({ at, content: text }) => (
              <li key={at}>
                <span className="platform-muted">{dateTime(at)}</span>
                <p className="platform-kept" dir="auto">
                  {text}
                </p>
              </li>
            ))}
          </ol>
        </details>
      )}
    </Row>
  );
}
