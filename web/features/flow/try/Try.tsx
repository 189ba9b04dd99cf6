import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { readLog } from '../../../api/raw.ts';
import { flowTry as t } from '../../../strings/en/flows.ts';
import { ago, dateTime } from '../../../strings/format.ts';
import { Badge, Button, Dialog, ErrorText, refusalOf, Spinner, WithName } from '../../../ui/index.ts';
import { Facts, Row, Rows } from '../../settings/index.ts';
import { StepList } from '../runs/RunSteps.tsx';

type Flow = Records['Flow'];
type Tried = Records['FlowTry']['tries'][number];
type Event = Records['Event'];

interface TryProps {
  flow: Flow;
  onClose: () => void;
}

interface Answer {
  tries: readonly Tried[];
  /** The events of the dry run by id, if they are on the loaded log page. */
  events: ReadonlyMap<string, Event>;
}

async function tryFlow({ id, serverId, trigger }: Flow): Promise<Answer> {
  const { tries } = await api(serverId).flowTry({ id });
  const { type } = trigger as { type?: string };
  if (tries.length === 0 || type === undefined) return { tries, events: new Map() };
  const { events } = await readLog(serverId, { types: type });
  return { tries, events: new Map(events.map((event) => [event.id, event])) };
}

/** Runs a flow for the last ten events of its type without writing anything. */
export default function Try({ flow, onClose }: TryProps) {
  const { data, error, isAsking, again } = useAsked<Answer>(flow.id, () => tryFlow(flow));
  return (
    <Dialog title={<WithName words={t.title} values={{ name: flow.name }} />} size="l" onClose={onClose}>
      <div className="setting-rows-frame">
        <p className="setting-lead">{t.lead}</p>
        {error !== undefined && <ErrorText error={error} onAgain={again} />}
        {data ? (
          <Rows
            label={t.tries}
            count={data.tries.length}
            empty={{ icon: 'zap', title: t.none, text: t.noneMore }}
          >
            {data.tries.map((tried, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a flow without an event is tried once
              <TryRow key={at} tried={tried} event={data.events.get(tried.eventId ?? '')} />
            ))}
          </Rows>
        ) : (
          error === undefined && <Spinner />
        )}
        <div>
          <Button icon="refresh-cw" isPending={isAsking} onClick={again}>
            {t.again}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function TryRow({ tried, event }: { tried: Tried; event: Event | undefined }) {
  const { matches, error, steps } = tried;
  const { content } = (event?.data ?? {}) as { content?: string };
  return (
    <Row
      title={event ? <span title={dateTime(event.at)}>{ago(event.at)}</span> : t.byHand}
      badges={
        <Badge kind={!matches ? 'plain' : error === null ? 'good' : 'bad'}>
          {!matches ? t.noMatch : error === null ? t.wouldRun : t.wouldFail}
        </Badge>
      }
      note={content && <Facts of={[<bdi key="content">{content.slice(0, 200)}</bdi>]} />}
    >
      {error && steps.every((step) => step.error === null) && (
        <ErrorText>{refusalOf({ message: error })}</ErrorText>
      )}
      <StepList steps={steps} />
    </Row>
  );
}
