import { common } from '../../../strings/en/common.ts';
import { platform as t } from '../../../strings/en/platform.ts';
import { bytes, duration, number, time } from '../../../strings/format.ts';
import { Button, Copy, ErrorText, Icon, Spinner } from '../../../ui/index.ts';
import { Group, Page } from '../../settings/index.ts';
import { Chart } from './Chart.tsx';
import { type Finding, findingsOf, type State } from './findings.ts';
import { Load } from './Load.tsx';
import { useSamples } from './useSamples.ts';
import { wordsOf } from './words.ts';
import './health.css';

const icons = { good: 'circle-check', warm: 'triangle-alert', bad: 'circle-alert' } as const;
/** The server stops counting at this number. */
const MOST = 1000;
const waiting = ['sweeps', 'closings', 'fileRemovals', 'failingWebhooks'] as const;

/** The platform's health: the findings, followed by the figures. */
export function Health() {
  const { data, error, again, isAsking, samples } = useSamples();
  return (
    <Page
      title={t.sections.health}
      lead={data ? t.health.lead({ at: time(data.at) }) : undefined}
      action={
        <Button icon="refresh-cw" isPending={isAsking && data !== undefined} onClick={again}>
          {common.refresh}
        </Button>
      }
    >
      <ErrorText error={error} onAgain={again} />
      {!data && !error && <Spinner />}
      {data && (
        <>
          <Findings all={findingsOf(data, data.at)} />
          <Group title={t.health.figures}>
            <dl className="tiles">
              {tilesOf(data).map(([word, value, note]) => (
                <div key={word} className="tile">
                  <dt className="small muted">{word}</dt>
                  <dd>
                    <span className="tile-value">{value}</span>
                    <span className="small muted">{note}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </Group>
          <Load samples={samples} />
          <Group title={t.health.waiting} lead={t.health.waitingMore}>
            <ul className="tiles">
              {waiting.map((name) => (
                <li key={name} className="tile">
                  <p className="small muted">{t.health.waits[name]}</p>
                  <p className="tile-value">{data[name] >= MOST ? `${number(MOST)}+` : number(data[name])}</p>
                  <Chart
                    label={t.health.chart({ what: t.health.waits[name], count: data[name] })}
                    values={samples.map((sample) => sample[name])}
                  />
                </li>
              ))}
            </ul>
          </Group>
        </>
      )}
    </Page>
  );
}

function Findings({ all }: { all: readonly Finding[] }) {
  const worst = all[0]?.level ?? 'good';
  const wrong = all.filter(({ level }) => level !== 'good').length;
  return (
    <section className={`findings findings-${worst}`} aria-labelledby="findings">
      <h2 id="findings" className="findings-title">
        <Icon name={icons[worst]} size={22} />
        {t.health.summary({ wrong })}
      </h2>
      <ul className="findings-list">
        {all.map((finding) => (
          <li key={finding.about} className={`finding finding-${finding.level}`}>
            <Icon name={icons[finding.level]} size={16} />
            <span>{wordsOf(finding)}</span>
          </li>
        ))}
      </ul>
      <p>{t.health.doctor}</p>
      <Copy text="npx palaver doctor" isShown />
    </section>
  );
}

const tilesOf = (state: State): [word: string, value: string, note: string][] => [
  [t.health.tiles.version, state.version, t.health.tiles.schema({ schema: state.schema })],
  [t.health.tiles.uptime, duration(state.uptimeSeconds), t.health.tiles.ofNode],
  [t.health.tiles.nodes, number(state.nodes), t.health.tiles.engine[state.engine]],
  [
    t.health.tiles.space,
    state.freeBytes === null ? '–' : bytes(state.freeBytes),
    t.health.tiles.files[state.files],
  ],
];
