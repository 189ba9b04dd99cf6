import { type FormEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useEpoch, useSession } from '../../replica/hooks.ts';
import { navigate, routeOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { search as t } from '../../strings/en/panels.ts';
import { typedAhead } from '../../ui/ahead.ts';
import { Empty, IconButton, TextField } from '../../ui/index.ts';
import { More } from '../../ui/More.tsx';
import { usePages } from '../../ui/usePages.ts';
import { useUserId } from '../session/index.ts';
import { Chips } from './Chips.tsx';
import { find } from './find.ts';
import { type Query, queryOf, textOf } from './query.ts';
import { Recent } from './Recent.tsx';
import { Results } from './Results.tsx';
import { keepSearch } from './recent.ts';
import './Search.css';

interface SearchProps {
  channel: Records['Channel'];
  /** The query in the URL. */
  words: string | undefined;
}

/** A search in the server: the terms and filters, which are in the URL, and the results. */
export function Search({ channel, words = '' }: SearchProps) {
  const userId = useUserId();
  const [typed, setTyped] = useState(words);
  const field = useRef<HTMLInputElement>(null);
  const query = useMemo(() => queryOf(words), [words]);
  useEffect(() => setTyped(words), [words]);
  const go = useCallback(
    (text: string) => {
      const now = routeOf(location.href);
      if (text !== '') keepSearch(userId, text);
      if (now.page === 'server') navigate({ ...now, panel: 'search', words: text || undefined });
    },
    [userId],
  );
  useEffect(() => {
    const { text, isSent } = typedAhead();
    field.current?.focus({ preventScroll: true });
    if (text !== '') setTyped(text);
    if (text !== '' && isSent) go(text);
  }, [go]);
  const change = (next: Query) => go(textOf(next));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(textOf(queryOf(typed)));
  };
  const isAsked = query.words !== '' || (words !== '' && mayLackWords(query));
  return (
    <>
      <search className="side-panel-tools">
        <form onSubmit={submit}>
          <Field
            ref={field}
            value={typed}
            onText={setTyped}
            onClear={() => {
              setTyped('');
              go('');
              field.current?.focus();
            }}
          />
        </form>
        <Chips query={query} channel={channel} onChange={change} />
      </search>
      {isAsked ? (
        <Found key={`${channel.serverId} ${words}`} serverId={channel.serverId} query={query} words={words} />
      ) : (
        <Recent userId={userId} onChoose={go} needsWords={words !== ''} />
      )}
    </>
  );
}

/** True if the query may have no words: with `in:`, `has:`, `mentions:` or `is:pinned`. */
const mayLackWords = ({ in: channel, has, is, mentions }: Query): boolean =>
  (channel ?? has ?? mentions) !== undefined || is === 'pinned';

interface FieldProps {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  onText: (text: string) => void;
  onClear: () => void;
}

const Field = ({ ref, value, onText, onClear }: FieldProps) => (
  <TextField
    ref={ref}
    label={t.search}
    isLabelHidden
    type="search"
    data-search-field
    placeholder={t.prompt}
    enterKeyHint="search"
    value={value}
    onText={onText}
    maxLength={300}
    after={value !== '' && <IconButton icon="x" size="small" label={t.clear} onClick={onClear} />}
  />
);

function Found({ serverId, query, words }: { serverId: string; query: Query; words: string }) {
  const session = useSession();
  const epoch = useEpoch(serverId);
  const [ids, setIds] = useState<readonly string[]>([]);
  const pages = usePages(`${serverId} ${epoch} ${words}`, async (cursor, isFirst) => {
    const page = await find(session, serverId, query, cursor);
    setIds((before) => (isFirst ? page.ids : [...before, ...page.ids]));
    return page.nextCursor;
  });
  const isNone = ids.length === 0 && pages.isWhole;
  return (
    <>
      <p className="only-read" role="status">
        {!pages.isLoading && (pages.isWhole ? t.found : t.foundFirst)({ count: ids.length })}
      </p>
      {isNone ? (
        <Empty icon="search" title={common.noResults} text={t.noneMore} />
      ) : (
        <Results ids={ids} words={query.words} search={words} />
      )}
      <More pages={pages} />
    </>
  );
}
