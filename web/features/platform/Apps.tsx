import { useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { usePages } from '../../api/pages.ts';
import { common } from '../../strings/en/common.ts';
import { platform as t } from '../../strings/en/platform.ts';
import { number } from '../../strings/format.ts';
import { Avatar, Badge, Button, Choice, toast } from '../../ui/index.ts';
import { usePending } from '../../ui/usePending.ts';
import { withProof } from '../session/index.ts';
import { Page } from '../settings/index.ts';
import { PagedTable } from './PagedTable.tsx';

type App = Records['App'];
const kinds = ['waiting', 'verified'] as const;
type Kind = (typeof kinds)[number];

/** The app registry, where admins verify apps. */
export function Apps() {
  const [kind, setKind] = useState<Kind>('waiting');
  const verified = kind === 'verified';
  const pages = usePages<App>(kind, (cursor) =>
    api('none').platformApps({ verified, limit: 50, ...(cursor && { cursor }) }),
  );

  return (
    <Page title={t.sections.apps} lead={t.apps.lead}>
      <Choice<Kind>
        label={t.apps.kind}
        isLabelHidden
        options={kinds.map((value) => ({ value, label: t.apps.kinds[value] }))}
        value={kind}
        onValue={setKind}
      />
      <PagedTable
        label={t.sections.apps}
        pages={pages}
        empty={{ icon: 'plug', title: t.apps.none[kind], text: !verified && t.apps.noneMore }}
        columns={[
          { key: 'name', label: common.app, show: (app) => <Name app={app} /> },
          { key: 'publisher', label: t.apps.publisher, show: (app) => <bdi>{app.publisherName ?? '–'}</bdi> },
          { key: 'version', label: t.apps.version, show: (app) => app.version ?? '–' },
          {
            key: 'installs',
            label: t.apps.installs,
            isNumber: true,
            show: (app) => number(app.installCount ?? 0),
          },
          {
            key: 'acts',
            label: t.actions,
            isActions: true,
            show: (app) => (
              <Judge app={app} isVerified={verified} onDone={() => pages.put(app.id, undefined)} />
            ),
          },
        ]}
      />
    </Page>
  );
}

const nameOf = ({ name, npmPackage, id }: App): string => name ?? npmPackage ?? id;

const Name = ({ app }: { app: App }) => (
  <span className="platform-who-cell">
    <Avatar id={app.id} name={nameOf(app)} src={app.image} size={32} isAgent />
    <span>
      <span className="platform-name">
        <bdi>{nameOf(app)}</bdi>
        {app.verified && <Badge kind="good">{t.apps.isVerified}</Badge>}
      </span>
      {app.description && <bdi className="platform-muted">{app.description}</bdi>}
    </span>
  </span>
);

interface JudgeProps {
  app: App;
  isVerified: boolean;
  onDone: () => void;
}

function Judge({ app, isVerified, onDone }: JudgeProps) {
  const { id } = app;
  const [isPending, run] = usePending();
  const judge = async () => {
    const calls = api('none');
    await withProof(() => (isVerified ? calls.platformAppUnverify({ id }) : calls.platformAppVerify({ id })));
    onDone();
    toast.show((isVerified ? t.apps.unverified : t.apps.verified)({ name: nameOf(app) }), { kind: 'good' });
  };
  return (
    <Button
      size="small"
      isPending={isPending}
      aria-label={(isVerified ? t.apps.unverifyNamed : t.apps.verifyNamed)({ name: nameOf(app) })}
      onClick={() => run(judge)}
    >
      {isVerified ? t.apps.unverify : t.apps.verify}
    </Button>
  );
}
