import { useEffect } from 'react';
import { api } from '../../../api/index.ts';
import { useActions, useRow, useRows, useServers } from '../../../replica/hooks.ts';
import { privacy as t, block as words } from '../../../strings/en/account.ts';
import { me as own } from '../../../strings/en/me.ts';
import { Avatar, Button, Select, toast } from '../../../ui/index.ts';
import { usePending } from '../../../ui/usePending.ts';
import { unblock } from '../../block/ask/index.tsx';
import { keepAccount, type Myself } from '../../session/index.ts';
import { Group, Page, Row, Rows } from '../../settings/index.ts';

type Reach = Myself['directMessages'];
const reaches = ['anybody', 'nobody'] as const satisfies readonly Reach[];

/** Users per request. Their ids have to fit in the URL. */
const MOST = 50;

/** The setting for who can send the user direct messages, and the list of blocked users. */
export function Privacy({ me }: { me: Myself }) {
  const change = (directMessages: Reach) =>
    void api('none').personUpdate({ directMessages }).then(keepAccount).catch(toast.error);
  return (
    <Page title={own.sections.privacy} lead={t.lead}>
      <Group title={t.reach} lead={t.reachMore}>
        <Select<Reach>
          label={t.reach}
          isLabelHidden
          value={me.directMessages}
          options={reaches.map((value) => ({ value, label: t.reaches[value] }))}
          onValue={change}
        />
      </Group>
      <Blocked />
    </Page>
  );
}

/** The users that the user blocks, latest first. */
function Blocked() {
  const all = useRows('block', 'all', '').toReversed();
  useProfiles(all.map(({ blockedId }) => blockedId));
  return (
    <Group title={t.blocked} lead={t.blockedMore}>
      <Rows
        label={t.blocked}
        pages={{ isReading: false, error: undefined, hasMore: false, more: () => {} }}
        count={all.length}
        empty={{ icon: 'ban', title: t.none, text: t.noneMore }}
      >
        {all.map(({ id, blockedId }) => (
          <BlockedRow key={id} userId={blockedId} />
        ))}
      </Rows>
    </Group>
  );
}

/** Loads the profiles of those users who are members of the user's servers. */
function useProfiles(userIds: readonly string[]): void {
  const { load } = useActions();
  const servers = useServers()
    .map(({ id }) => id)
    .join();
  const ids = userIds.join();
  useEffect(() => {
    const all = ids.split(',');
    for (const serverId of servers.split(','))
      for (let from = 0; serverId !== '' && ids !== '' && from < all.length; from += MOST)
        load(
          () => api(serverId).usersBeside({ ids: all.slice(from, from + MOST).join(), limit: MOST }),
          (user) => ({ user }),
        ).catch(() => undefined);
  }, [load, servers, ids]);
}

function BlockedRow({ userId }: { userId: string }) {
  const user = useRow('user', userId);
  const [isPending, run] = usePending();
  const name = user?.name ?? t.unknown;
  return (
    <Row
      mark={<Avatar id={userId} name={name} src={user?.image} isAgent={user?.type === 'agent'} />}
      title={name}
      note={user && <bdi>@{user.username}</bdi>}
      actions={
        <Button
          size="small"
          isPending={isPending}
          aria-label={words.unblockNamed({ name })}
          onClick={() => run(() => unblock({ id: userId, name }))}
        >
          {words.unblock}
        </Button>
      }
    />
  );
}
