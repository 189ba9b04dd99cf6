import { useEffect, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { dateTime } from '../../strings/format.ts';
import { Badge, Dialog, ErrorText, Spinner } from '../../ui/index.ts';
import { Markdown } from '../markdown/index.ts';
import { useBeside } from '../member/index.ts';
import { useNamed } from '../mention/index.ts';
import './Edits.css';

type Version = Records['Edits']['versions'][number];

interface State {
  versions: readonly Version[];
  /** The `after` cursor of the next page; null if all are loaded. */
  after: string | null | undefined;
  hasFirst: boolean;
  error?: unknown;
}

/** The versions of a message, the current one first, loaded page by page. */
export default function Edits({
  message,
  onClose,
}: {
  message: Records['ShownMessage'];
  onClose: () => void;
}) {
  const { id, serverId, editedAt } = message;
  const [state, setState] = useState<State>({ versions: [], after: undefined, hasFirst: true });
  const { versions, after, hasFirst, error } = state;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further edit changes the time
  useEffect(() => setState({ versions: [], after: undefined, hasFirst: true }), [id, editedAt]);
  useEffect(() => {
    if (after === null || error !== undefined) return;
    let isOver = false;
    api(serverId)
      .messageEdits({ messageId: id, ...(after !== undefined && { after }) })
      .then(
        (page) => {
          if (isOver) return;
          setState((now) => {
            const last = now.versions.at(-1)?.at;
            const next = [...now.versions, ...page.versions.filter(({ at }) => at !== last)];
            return { versions: next, after: page.after, hasFirst: now.hasFirst && page.hasFirst };
          });
        },
        (problem: unknown) => !isOver && setState((now) => ({ ...now, error: problem })),
      );
    return () => {
      isOver = true;
    };
  }, [serverId, id, after, error]);

  return (
    <Dialog title={t.edits} onClose={onClose}>
      <ol className="edits">
        {versions.toReversed().map((version) => (
          <Said key={version.at} version={version} serverId={serverId} isPresent={version.at === editedAt} />
        ))}
      </ol>
      {error !== undefined && (
        <ErrorText error={error} onAgain={() => setState((now) => ({ ...now, error: undefined }))} />
      )}
      {after !== null && error === undefined && <Spinner label={t.editsLoading} />}
      {!hasFirst && <p className="edits-note">{t.editsUnknown}</p>}
    </Dialog>
  );
}

function Said({ version, serverId, isPresent }: { version: Version; serverId: string; isPresent: boolean }) {
  const { content, at, userId } = version;
  const { name } = useBeside(serverId, userId ?? undefined, t.gone);
  const named = useNamed(serverId);
  return (
    <li className="edits-version">
      <p className="edits-note">
        <bdi>{name}</bdi> · <time dateTime={new Date(at).toISOString()}>{dateTime(at)}</time>{' '}
        {isPresent && <Badge kind="accent">{t.present}</Badge>}
      </p>
      <Markdown content={content} named={named} />
    </li>
  );
}
