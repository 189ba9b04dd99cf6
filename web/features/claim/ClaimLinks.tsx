import { useEffect, useRef, useState } from 'react';
import { usePages } from '../../api/pages.ts';
import { common } from '../../strings/en/common.ts';
import { claimLinks as t } from '../../strings/en/platformSettings.ts';
import { dateTime } from '../../strings/format.ts';
import {
  Avatar,
  Button,
  Copy,
  copyText,
  Dialog,
  saveFile,
  TextField,
  toast,
  useRested,
} from '../../ui/index.ts';
import { AskedRows, Note, nothingFound, platformUsersPage, Row } from '../settings/index.ts';
import { addressOf, allLinks, csvOf, linksFor, type MadeLink } from './links.ts';

interface ClaimLinksProps {
  serverId: string;
  onClose: () => void;
}

/** The imported people of a server that nobody has claimed, with links to claim them. */
export default function ClaimLinks({ serverId, onClose }: ClaimLinksProps) {
  const [typed, setTyped] = useState('');
  const [made, setMade] = useState<ReadonlyMap<string, MadeLink>>(new Map());
  const text = useRested(typed.trim());
  const pages = usePages(
    `${serverId} ${text}`,
    (cursor) => platformUsersPage({ unclaimed: true, serverId }, text, cursor),
    { isSearch: true },
  );
  async function copy(id: string, name: string): Promise<void> {
    const link = made.get(id) ?? (await linksFor([id]))[0];
    if (!link) {
      pages.put(id, undefined);
      toast.show(t.gone({ name }));
      return;
    }
    setMade((before) => new Map(before).set(id, link));
    if (await copyText(addressOf(link))) toast.show(t.copied({ name }), { kind: 'good' });
  }
  return (
    <Dialog title={t.title} size="l" onClose={onClose} foot={<Download serverId={serverId} />}>
      <div className="stack">
        <Note icon="eye">{t.lead}</Note>
        <TextField
          label={t.search}
          isLabelHidden
          type="search"
          placeholder={t.search}
          value={typed}
          onText={setTyped}
          spellCheck={false}
        />
        <AskedRows
          label={t.title}
          pages={pages}
          empty={text === '' ? { icon: 'circle-check', title: t.none, text: t.noneMore } : nothingFound()}
        >
          {(user) => {
            const link = made.get(user.id);
            return (
              <Row
                key={user.id}
                mark={<Avatar id={user.id} name={user.name} src={user.image} />}
                title={user.name}
                note={
                  <>
                    <bdi>@{user.username}</bdi>
                    {link && ` · ${t.until({ when: dateTime(link.expiresAt) })}`}
                  </>
                }
                actions={
                  <CopyLink label={t.copyOf({ name: user.name })} onCopy={() => copy(user.id, user.name)} />
                }
              >
                {link && <Copy text={addressOf(link)} label={common.copyLink} isShown />}
              </Row>
            );
          }}
        </AskedRows>
      </div>
    </Dialog>
  );
}

function CopyLink({ label, onCopy }: { label: string; onCopy: () => Promise<void> }) {
  const [isPending, setPending] = useState(false);
  return (
    <Button
      size="small"
      icon="link"
      aria-label={label}
      isPending={isPending}
      onClick={async () => {
        setPending(true);
        await onCopy().catch((error) => toast.error(error));
        setPending(false);
      }}
    >
      {common.copyLink}
    </Button>
  );
}

/** Creates links for all unclaimed people of the server, whatever the search text, and saves them as a file. */
function Download({ serverId }: { serverId: string }) {
  const [count, setCount] = useState<number>();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  async function download(): Promise<void> {
    const { signal } = stop.current;
    setCount(0);
    try {
      const links = await allLinks(serverId, signal, setCount);
      if (signal.aborted) return;
      if (links.length === 0) toast.show(t.none);
      else saveFile('claim-links.csv', 'text/csv', csvOf(links));
    } catch (error) {
      toast.error(error);
    }
    setCount(undefined);
  }
  return (
    <>
      <span className="small muted" role="status">
        {count !== undefined && t.progress({ count })}
      </span>
      <Button icon="download" isPending={count !== undefined} onClick={download}>
        {t.download}
      </Button>
    </>
  );
}
