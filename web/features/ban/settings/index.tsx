import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { banSettings as t } from '../../../strings/en/banSettings.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Avatar, Button, toast, WithName } from '../../../ui/index.ts';
import { Closed, Facts, nothingFound, Page, Row, Rows, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Ask, byNewest, usePages, Who } from '../../settings/server/index.ts';

/** Who is banned, why, and by whom. */
export default function Bans({ serverId }: SectionProps) {
  const may = useMay(serverId, 'serverBan delete');
  const pages = usePages(
    serverId,
    may.allowed
      ? (cursor) => api(serverId).bansByServer({ serverId, cursor, limit: 100, expand: 'creator' })
      : undefined,
    (page) => ({ serverBan: page, user: Object.values(page.expanded?.users ?? {}) }),
  );
  const bans = useRows('serverBan', 'serverId', serverId).toSorted(byNewest);
  const textsOf = ({ user, reason }: Records['ServerBan']) => [user.name, user.username, reason];
  const found = useFind(t.find, bans, textsOf, { pages });
  const [lifting, setLifting] = useState<Records['ServerBan']>();
  return (
    <Page title={t.title} lead={t.lead}>
      <Closed permission={may} what={t.closed} />
      {may.allowed && found.field}
      {may.allowed && (
        <Rows
          label={t.title}
          pages={pages}
          rest={found.rest}
          count={found.rows.length}
          empty={found.isSearched ? nothingFound() : { icon: 'ban', title: t.none, text: t.noneMore }}
        >
          {found.rows.map((ban) => (
            <Row
              key={ban.id}
              mark={<Avatar id={ban.userId} name={ban.user.name} src={ban.user.image} />}
              title={ban.user.name}
              note={
                <Facts
                  of={[
                    `@${ban.user.username}`,
                    <span key="at" title={dateTime(ban.createdAt)}>
                      {t.since(shortTime(ban.createdAt))}
                    </span>,
                    <span key="by">
                      {t.by} <Who serverId={serverId} userId={ban.creatorId} />
                    </span>,
                  ]}
                />
              }
              actions={
                <Button size="small" aria-label={t.liftFor(ban.user.name)} onClick={() => setLifting(ban)}>
                  {t.lift}
                </Button>
              }
            >
              {ban.reason && (
                <p className="setting-hint">
                  <bdi>{ban.reason}</bdi>
                </p>
              )}
            </Row>
          ))}
        </Rows>
      )}
      {lifting && (
        <Ask
          permission={may}
          title={<WithName words={t.ask} name={lifting.user.name} />}
          text={t.askMore}
          action={t.lift}
          onConfirm={async () => {
            await api(serverId).serverBanDelete({ id: lifting.id });
            toast.show(t.lifted(lifting.user.name));
          }}
          onClose={() => setLifting(undefined)}
        />
      )}
    </Page>
  );
}
