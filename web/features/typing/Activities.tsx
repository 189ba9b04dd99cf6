import type { Indicator } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { activity as t } from '../../strings/en/conversation.ts';
import { Icon, WithName } from '../../ui/index.ts';
import { useNamesIn } from '../member/index.ts';
import { useSaid } from './useSaid.ts';
import './Activities.css';

/** Maximum number of agents shown; the latest ones are kept. */
const MOST = 3;

interface ActivitiesProps {
  serverId: string;
  rows: readonly Indicator[];
}

/** The activities that agents report, each as a chip. */
export default function Activities({ serverId, rows }: ActivitiesProps) {
  const shown = rows.slice(-MOST);
  const ids = shown.map(({ userId }) => userId);
  const names = useNamesIn(serverId, ids, common.somebody);
  const said = useSaid(
    ids,
    shown.map((row, at) => wordsFor(row)({ name: names[at] ?? '', text: row.text ?? '' })).join(' '),
  );
  return (
    <>
      {shown.map((row, at) => (
        <span className="activity" key={row.userId} title={row.text ?? undefined}>
          <Icon name="bot" size={14} />
          <span className="ellipsis" aria-hidden="true">
            <WithName words={wordsFor(row)} values={{ name: names[at] ?? '', text: row.text ?? '' }} />
          </span>
        </span>
      ))}
      <span className="only-read" role="status">
        {said}
      </span>
    </>
  );
}

const wordsFor = ({ type, text }: Indicator): ((values: { name: string; text: string }) => string) =>
  text?.trim() ? t.doing : type === 'thinking' ? t.thinking : t.working;
