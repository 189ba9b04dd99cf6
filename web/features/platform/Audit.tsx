import { useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { usePages } from '../../api/pages.ts';
import { app, common } from '../../strings/en/common.ts';
import { platform as t } from '../../strings/en/platform.ts';
import { dateTime, shortTime } from '../../strings/format.ts';
import { fold } from '../../ui/fold.ts';
import { TextField } from '../../ui/index.ts';
import { Page } from '../settings/index.ts';
import { PagedTable } from './PagedTable.tsx';

/** An entry with the name of its actor. */
type Entry = Records['AuditEntry'] & { who: string };

/** Loads up to 100 admins, keyed by ID, but no other users: nearly all entries are about actions of admins. */
async function admins(): Promise<Map<string, Records['PlatformUser']>> {
  const found = await api('none').platformUsers({ platformAdmin: true, limit: 100 });
  return new Map(found.map((user) => [user.id, user]));
}

async function entriesAt(cursor: string | undefined) {
  const [page, known] = await Promise.all([
    api('none').platformAudit({ limit: 100, ...(cursor && { cursor }) }),
    admins(),
  ]);
  const entries = page.map((entry): Entry => ({ ...entry, who: whoOf(entry, known) }));
  return Object.assign(entries, { nextCursor: page.nextCursor });
}

function whoOf(
  { actor, actorId, account }: Records['AuditEntry'],
  known: Map<string, Records['PlatformUser']>,
): string {
  if (actorId === null) {
    if (actor === 'operator') return t.audit.operator({ account: account ?? '' });
    return actor === 'system' ? app.name : t.audit.unknown;
  }
  const user = known.get(actorId);
  return user
    ? t.audit.person({ name: user.name, username: user.username })
    : t.audit.somebody({ id: actorId });
}

const aboutOf = ({ about }: Entry): string =>
  Object.entries(about)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');

/** The audit log of commands run by the operator and changes made by admins. */
export function Audit() {
  const [typed, setTyped] = useState('');
  const pages = usePages('audit', entriesAt);
  const words = fold(typed).trim().split(/\s+/).filter(Boolean);
  const shown = pages.rows?.filter((entry) => {
    const text = fold(`${entry.command} ${entry.who} ${aboutOf(entry)}`);
    return words.every((word) => text.includes(word));
  });
  return (
    <Page title={t.sections.audit} lead={t.audit.lead}>
      <TextField
        label={t.audit.filter}
        type="search"
        placeholder={t.audit.filterHint}
        value={typed}
        onText={setTyped}
        spellCheck={false}
        hint={
          pages.hasMore && words.length > 0
            ? t.audit.onlyLoaded({ count: pages.rows?.length ?? 0 })
            : undefined
        }
      />
      <PagedTable
        label={t.sections.audit}
        pages={pages}
        rows={shown}
        empty={{ icon: 'list', title: words.length > 0 ? t.audit.noMatch : t.audit.none }}
        columns={[
          { key: 'command', label: t.audit.act, show: ({ command }) => command },
          { key: 'who', label: t.audit.by, show: ({ who }) => <bdi>{who}</bdi> },
          { key: 'about', label: t.audit.about, show: (entry) => <code>{aboutOf(entry) || '–'}</code> },
          {
            key: 'at',
            label: common.date,
            show: ({ createdAt }) => (
              <time dateTime={new Date(createdAt).toISOString()} title={dateTime(createdAt)}>
                {shortTime(createdAt)}
              </time>
            ),
          },
        ]}
      />
    </Page>
  );
}
