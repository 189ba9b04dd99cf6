import { useCallback, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRows, useServer } from '../../../replica/hooks.ts';
import { claimLinks } from '../../../strings/en/platformSettings.ts';
import { serverSettings, memberSettings as t } from '../../../strings/en/serverSettings.ts';
import { Button, Select, TextField, useRested } from '../../../ui/index.ts';
import { ClaimLinks } from '../../claim/index.ts';
import { useAccount } from '../../session/index.ts';
import { Closed, Page, Rows } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { useGrants, useLiveMembers, usePages } from '../../settings/server/index.ts';
import { useAdministrators } from '../administrators/index.ts';
import { Ban } from './Ban.tsx';
import { Kick } from './Kick.tsx';
import { MemberRow } from './MemberRow.tsx';
import { Nickname } from './Nickname.tsx';

type Member = Records['ListedServerMember'];

/** The action being confirmed, and the member it is for. */
interface Asking {
  act: 'kick' | 'ban' | 'nickname';
  member: Member;
}

/** The members of a server, with their roles and actions. */
export default function Members({ serverId }: SectionProps) {
  const { server } = useServer(serverId);
  const roles = useRows('role', 'serverId', serverId);
  const [text, setText] = useState('');
  const [asking, setAsking] = useState<Asking>();
  const [isClaiming, setClaiming] = useState(false);
  const account = useAccount();
  const isPlatformAdmin = account.state === 'in' && account.me.platformAdmin;
  const ask = useCallback((act: Asking['act'], member: Member) => setAsking({ act, member }), []);
  const q = useRested(text.trim());
  const [wanted, setWanted] = useState('');
  const roleIds = roles.some(({ id }) => id === wanted) ? wanted : '';
  const pages = usePages(
    `${serverId} ${roleIds} ${q}`,
    (cursor) =>
      api(serverId).serverMembers({
        ...{ serverId, cursor, limit: 50 },
        ...(q && { q }),
        ...(roleIds && { roleIds }),
      }),
    (page) => ({ serverMember: page, user: page.map(({ user }) => user) }),
  );
  const members = useLiveMembers(serverId, pages, q === '' && roleIds === '');
  const grants = useGrants(serverId);
  const areLeft = useAdministrators(serverId);
  const mayKick = useMay(serverId, 'serverBan insert');
  const mayGive = useMay(serverId, 'userRole insert');
  if (!server) return null;
  const close = () => setAsking(undefined);

  return (
    <Page
      title={t.title}
      lead={t.lead({ count: server.memberCount })}
      action={
        isPlatformAdmin && (
          <Button icon="link" onClick={() => setClaiming(true)}>
            {claimLinks.title}
          </Button>
        )
      }
    >
      <Closed permission={mayKick} what={t.closed} />
      <Closed permission={mayGive} what={t.rolesClosed} />
      <div className="setting-member-find">
        <TextField type="search" label={t.find} hint={t.findHint} value={text} onText={setText} />
        <Select
          label={t.withRole}
          value={roleIds}
          options={[
            { value: '', label: t.anyRole },
            ...roles.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValue={setWanted}
        />
      </div>
      <Rows
        label={t.title}
        pages={pages}
        count={members.length}
        empty={{ icon: 'search', title: q ? serverSettings.nobody : t.nobodyHasIt, text: q && t.findHint }}
      >
        {members.map((member) => (
          <MemberRow key={member.id} {...{ server, member, roles, grants, areLeft }} onAsk={ask} />
        ))}
      </Rows>
      {isClaiming && <ClaimLinks serverId={serverId} onClose={() => setClaiming(false)} />}
      {asking?.act === 'kick' && <Kick member={asking.member} onClose={close} />}
      {asking?.act === 'ban' && <Ban member={asking.member} onClose={close} />}
      {asking?.act === 'nickname' && <Nickname member={asking.member} onClose={close} />}
    </Page>
  );
}
