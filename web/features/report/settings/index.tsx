import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { useMay } from '../../../may/index.ts';
import { reportSettings as t } from '../../../strings/en/moderation.ts';
import { serverSettings as shared } from '../../../strings/en/serverSettings.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Button, Choice, toast } from '../../../ui/index.ts';
import { AskedRows, Closed, Facts, Page, Row } from '../../settings/index.ts';
import { type SectionProps, useUser, Who } from '../../settings/server/index.ts';

type Report = Records['ShownReport'];
type State = Report['state'];

const states = ['open', 'resolved', 'dismissed'] as const;

/** The messages reported by members, for moderators. */
export default function Reports({ serverId }: SectionProps) {
  const may = useMay(serverId, 'report update');
  const [state, setState] = useState<State>('open');
  const pages = usePages([serverId, may.allowed, state].join(' '), async (cursor) =>
    may.allowed
      ? api(serverId).reportsByServer({ serverId, state, cursor })
      : Object.assign([], { nextCursor: null }),
  );
  const close = async ({ id }: Report, as: 'resolved' | 'dismissed') => {
    try {
      await api(serverId).reportClose({ id, state: as });
      pages.put(id, undefined);
      toast.show(t.closed[as], { kind: 'good' });
    } catch (failed) {
      toast.error(failed);
    }
  };
  return (
    <Page title={t.title} lead={t.lead}>
      <Closed permission={may} what={t.forbidden} />
      {may.allowed && (
        <>
          <Choice
            label={t.show}
            isLabelHidden
            value={state}
            options={states.map((value) => ({ value, label: t.states[value] }))}
            onValue={(value) => setState(value as State)}
          />
          <AskedRows label={t.title} pages={pages} empty={{ icon: 'flag', title: t.none[state] }}>
            {(report) => <ReportRow key={report.id} report={report} onClose={close} />}
          </AskedRows>
        </>
      )}
    </Page>
  );
}

interface ReportRowProps {
  report: Report;
  onClose: (report: Report, as: 'resolved' | 'dismissed') => Promise<void>;
}

function ReportRow({ report, onClose }: ReportRowProps) {
  const { serverId, authorId, creatorId, channelId, reason, copy, state, createdAt } = report;
  const name = useUser(serverId, authorId)?.name ?? shared.somebody;
  return (
    <Row
      title={name}
      note={
        <Facts
          of={[
            <span key="by">
              {t.by} <Who serverId={serverId} userId={creatorId} />
            </span>,
            <span key="at" title={dateTime(createdAt)}>
              {shortTime(createdAt)}
            </span>,
            channelId === null && t.direct,
          ]}
        />
      }
      actions={
        state === 'open' && (
          <>
            <Button
              size="small"
              aria-label={t.resolveOf({ name })}
              onClick={() => onClose(report, 'resolved')}
            >
              {t.resolve}
            </Button>
            <Button
              size="small"
              kind="quiet"
              aria-label={t.dismissOf({ name })}
              onClick={() => onClose(report, 'dismissed')}
            >
              {t.dismiss}
            </Button>
          </>
        )
      }
    >
      {copy && <blockquote dir="auto">{[copy.content, ...copy.files].filter(Boolean).join('\n')}</blockquote>}
      {reason && (
        <p className="setting-hint">
          {t.reason} <bdi>{reason}</bdi>
        </p>
      )}
    </Row>
  );
}
