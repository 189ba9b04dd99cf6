import { useEffect, useMemo, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useMembers, useServer, useServers, useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { direct } from '../../strings/en/frame.ts';
import { newMessage as t } from '../../strings/en/menus.ts';
import { Badge, Checkbox, Dialog, Form, Select, TextField, useRested } from '../../ui/index.ts';
import { LookAlike, openDirect } from '../member/index.ts';
import { Refusal, useUserId } from '../session/index.ts';
import { Row, Rows } from '../settings/index.ts';
import { usePages } from '../settings/server/index.ts';
import { useOthers } from './names.ts';
import { MAX_MEMBERS } from './room.ts';

type Member = Records['ListedServerMember'];

/** Maximum members of a direct message other than the user. */
const MOST = MAX_MEMBERS - 1;

interface NewMessageProps {
  /** The server whose members can be selected. If undefined, the user chooses one of their servers. */
  serverId: string | undefined;
  /** The direct message that the user adds people to. Its members are preselected. */
  channel?: Records['Channel'];
  onClose: () => void;
}

const nowhere = { serverId: '', memberIds: null };

/**
 * Selects one or more members of a server, and opens the direct message with them. The members of a direct message
 * never change, so adding people opens a new one.
 */
export default function NewMessage({ serverId: given, channel, onClose }: NewMessageProps) {
  const servers = useServers();
  const [wanted, setWanted] = useState(given ?? servers[0]?.id ?? '');
  const session = useSession();
  const [chosen, setChosen] = useState<readonly Member[]>([]);
  const present = useOthers(channel ?? nowhere).flatMap(({ id, hasLeft }) => (hasLeft ? [] : [id]));
  const open = async () => {
    if (chosen.length === 0) throw new Refusal(t.nobodyChosen);
    const userIds = [...present, ...chosen.map(({ userId }) => userId)];
    await openDirect(session, wanted, userIds);
    onClose();
  };
  return (
    <Dialog title={channel ? direct.add : direct.start} onClose={onClose}>
      <Form submit={t.open} onCancel={onClose} onSubmit={open}>
        {channel && <p className="setting-lead">{t.addMore}</p>}
        {given === undefined && servers.length > 1 && (
          <Select
            label={t.server}
            value={wanted}
            options={servers.map(({ id, name }) => ({ value: id, label: name }))}
            onValue={(next) => {
              setWanted(next);
              setChosen([]);
            }}
          />
        )}
        <People key={wanted} serverId={wanted} presentIds={present} chosen={chosen} onChoose={setChosen} />
      </Form>
    </Dialog>
  );
}

interface PeopleProps {
  serverId: string;
  /** The user IDs of the preselected members, who can't be deselected. */
  presentIds: readonly string[];
  chosen: readonly Member[];
  onChoose: (members: readonly Member[]) => void;
}

/** A search for members. The selected ones come first. */
function People({ serverId, presentIds, chosen, onChoose }: PeopleProps) {
  const loaded = useMembers(serverId, presentIds);
  const present = useMemo(() => loaded.filter((one) => one !== undefined), [loaded]);
  const [text, setText] = useState('');
  // Enter selects the best match, once it is loaded. In an empty field, it submits the form.
  const [isEntered, setEntered] = useState(false);
  const q = useRested(text.trim());
  const isRested = q === text.trim();
  const toggle = (member: Member) => {
    const others = chosen.filter(({ id }) => id !== member.id);
    onChoose(others.length < chosen.length ? others : [...chosen, member]);
  };
  const enter = (best: Member | undefined) => {
    setEntered(false);
    if (!best) return;
    onChoose([...chosen, best]);
    setText('');
  };
  return (
    <>
      <TextField
        type="search"
        label={t.find}
        hint={t.findMore({ most: MOST - presentIds.length })}
        value={text}
        onText={(next) => {
          setText(next);
          setEntered(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return;
          event.preventDefault();
          setEntered(true);
        }}
        autoFocus
      />
      <p className="only-read" role="status">
        {t.chosen({ count: present.length + chosen.length })}
      </p>
      {present.length + chosen.length > 0 && (
        <Rows label={t.selected}>
          {present.map((member) => (
            <Person key={member.id} member={member} isChosen isDisabled />
          ))}
          {chosen.map((member) => (
            <Person key={member.id} member={member} isChosen onToggle={() => toggle(member)} />
          ))}
        </Rows>
      )}
      <Found
        key={q}
        {...{ serverId, q }}
        chosen={[...present, ...chosen]}
        onToggle={toggle}
        onEnter={isEntered && isRested ? enter : undefined}
      />
    </>
  );
}

interface FoundProps {
  serverId: string;
  q: string;
  chosen: readonly Member[];
  onToggle: (member: Member) => void;
  /** Called with the best match once it is loaded. */
  onEnter: ((best: Member | undefined) => void) | undefined;
}

/** The members whose names match, except the user, selected members, and agents that accept no direct messages. */
function Found({ serverId, q, chosen, onToggle, onEnter }: FoundProps) {
  const userId = useUserId();
  const { server } = useServer(serverId);
  const pages = usePages(
    'found',
    (cursor) => api(serverId).serverMembers({ serverId, cursor, limit: 20, ...(q && { q }) }),
    (page) => ({ serverMember: page, user: page.map(({ user }) => user) }),
  );
  const isFull = chosen.length >= MOST;
  const rows = pages.pages
    .flat()
    .filter(
      (one) =>
        one.userId !== userId &&
        (server?.directAgents || one.user.type === 'person') &&
        !chosen.some(({ id }) => id === one.id),
    );
  useEffect(() => {
    if (!pages.isReading) onEnter?.(isFull ? undefined : rows[0]);
  });
  return (
    <Rows
      label={t.people}
      pages={pages}
      count={rows.length}
      empty={{ icon: 'search', title: common.noResults }}
    >
      {rows.map((member) => (
        <Person key={member.id} member={member} isDisabled={isFull} onToggle={() => onToggle(member)} />
      ))}
    </Rows>
  );
}

interface PersonProps {
  member: Member;
  isChosen?: boolean;
  isDisabled?: boolean;
  onToggle?: () => void;
}

const Person = ({ member, isChosen = false, isDisabled, onToggle = () => {} }: PersonProps) => (
  <Row
    title={
      <Checkbox
        name="userIds"
        value={member.userId}
        label={`${member.nickname ?? member.user.name} (@${member.user.username})`}
        isOn={isChosen}
        isDisabled={isDisabled}
        onChange={onToggle}
      />
    }
    badges={
      <>
        {member.user.type === 'agent' && <Badge>{common.agent}</Badge>}
        <LookAlike of={member} />
      </>
    }
  />
);
