import { useEffect, useMemo, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useServer, useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { forward as t } from '../../strings/en/menus.ts';
import {
  Checkbox,
  Dialog,
  Form,
  openDialog,
  TextArea,
  TextField,
  toast,
  useRested,
  type Values,
} from '../../ui/index.ts';
import { Refusal, useUserId } from '../session/index.ts';
import { Row, Rows } from '../settings/index.ts';
import { forwardedText, matching } from './forwarded.ts';
import { personTarget, placesOf, type Target } from './forwardTargets.ts';

/** The maximum number of destinations selected at once. */
const MOST = 5;
/** The maximum number of destinations shown. */
const SHOWN = 30;
const MAX_COMMENT = 7_000;

/** Asks where to send a link to a message, and sends it. */
export const askToForward = (message: Records['ShownMessage'], link: string): void =>
  openDialog((close) => <ForwardDialog message={message} link={link} onClose={close} />);

interface ForwardDialogProps {
  message: Records['ShownMessage'];
  link: string;
  onClose: () => void;
}

function ForwardDialog({ message: { serverId }, link, onClose }: ForwardDialogProps) {
  const session = useSession();
  const [chosen, setChosen] = useState<readonly Target[]>([]);
  const toggle = (target: Target) => {
    const others = chosen.filter(({ id }) => id !== target.id);
    setChosen(others.length < chosen.length ? others : [...chosen, target]);
  };
  const forward = async (values: Values) => {
    if (chosen.length === 0) throw new Refusal(t.nowhere);
    const content = forwardedText(values.text('comment'), link);
    // If a recipient doesn't accept direct messages, nothing is sent to anyone.
    const places = await Promise.all(chosen.map((target) => target.reach()));
    for (const place of places) await session.actions.send({ ...place, content });
    onClose();
    toast.show(t.done, { kind: 'good' });
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form submit={t.submit} onCancel={onClose} onSubmit={forward}>
        <p className="muted">{t.lead}</p>
        <Places serverId={serverId} chosen={chosen} onToggle={toggle} />
        <TextArea label={t.comment} name="comment" isOptional most={MAX_COMMENT} rows={2} />
      </Form>
    </Dialog>
  );
}

interface PlacesProps {
  serverId: string;
  chosen: readonly Target[];
  onToggle: (target: Target) => void;
}

/** A search for destinations. Selected ones come first. */
function Places({ serverId, chosen, onToggle }: PlacesProps) {
  const session = useSession();
  const [text, setText] = useState('');
  const places = useMemo(() => placesOf(session, serverId), [session, serverId]);
  const people = usePeople(serverId, text.trim());
  const isChosen = ({ id }: Target) => chosen.some((one) => one.id === id);
  const found = [...matching(places, text.trim()), ...people].filter((one) => !isChosen(one));
  const shown = [...chosen, ...found.slice(0, SHOWN)];
  return (
    <>
      <TextField
        type="search"
        label={t.find}
        hint={t.findMore({ most: MOST })}
        value={text}
        onText={setText}
        onKeyDown={(event) => {
          const [best] = found;
          if (event.key !== 'Enter' || text.trim() === '') return;
          event.preventDefault();
          if (!best || chosen.length >= MOST) return;
          onToggle(best);
          setText('');
        }}
        autoFocus
      />
      <Rows label={t.places} count={shown.length} empty={{ icon: 'search', title: common.noResults }}>
        {shown.map((target) => (
          <Row
            key={target.id}
            title={
              <Checkbox
                name="places"
                value={target.id}
                label={target.about ? `${target.name} (${target.about})` : target.name}
                isOn={isChosen(target)}
                isDisabled={!isChosen(target) && chosen.length >= MOST}
                onChange={() => onToggle(target)}
              />
            }
          />
        ))}
      </Rows>
    </>
  );
}

/** Other members whose names match the typed text, agents only if the server allows direct messages with them. */
function usePeople(serverId: string, typed: string): readonly Target[] {
  const session = useSession();
  const userId = useUserId();
  const { server } = useServer(serverId);
  const q = useRested(typed.replace(/^@/, ''));
  const [found, setFound] = useState<{ q: string; people: readonly Target[] }>({ q: '', people: [] });
  const agents = server?.directAgents;
  useEffect(() => {
    let isCurrent = q !== '';
    if (!isCurrent) return;
    const rows = api(serverId).serverMembers({ serverId, q, limit: 10 });
    Promise.resolve(rows).then(
      (members) => {
        if (!isCurrent) return;
        const others = members.filter(({ user }) => user.id !== userId && (agents || user.type === 'person'));
        const people = others.map(({ user, nickname }) =>
          personTarget(session, serverId, { ...user, name: nickname ?? user.name }),
        );
        setFound({ q, people });
      },
      // While offline, only channels and conversations are found, not people.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [session, serverId, userId, agents, q]);
  return q !== '' && found.q === q ? found.people : [];
}
