import { useState } from 'react';
import { siteAddress } from '../../../api/base.ts';
import { api, type Records } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { platform as t } from '../../../strings/en/platform.ts';
import { dateTime } from '../../../strings/format.ts';
import { Button, Copy, Dialog, Form, Select, WithName } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import { Note } from '../../settings/index.ts';
import type { PlatformUser } from './find.ts';

const purposes = ['password', 'claim', 'recovery'] as const;
type Purpose = (typeof purposes)[number];

/** Creates a one-time link for a user who can't sign in. It can't be shown again. */
export function MakeLink({ user, onClose }: { user: PlatformUser; onClose: () => void }) {
  const [made, setMade] = useState<Records['UserLink']>();
  const [purpose, setPurpose] = useState<Purpose>('password');
  if (made)
    return (
      <Dialog
        title={t.link.made}
        isFirm
        onClose={onClose}
        foot={
          <Button kind="main" onClick={onClose}>
            {t.link.kept}
          </Button>
        }
      >
        <div className="stack">
          <Note icon="eye">
            <WithName words={t.link.once} values={{ name: user.name, until: dateTime(made.expiresAt) }} />
          </Note>
          <Copy text={siteAddress() + made.path} label={common.copyLink} isShown />
        </div>
      </Dialog>
    );
  return (
    <Dialog title={t.users.acts.link} onClose={onClose}>
      <Form
        submit={t.link.make}
        isDanger={purpose === 'recovery'}
        onCancel={onClose}
        onSubmit={async () => {
          setMade(await withProof(() => api('none').platformUserLink({ id: user.id, purpose })));
        }}
      >
        <p>
          <WithName words={t.link.lead} values={{ name: user.name }} />
        </p>
        <Select<Purpose>
          label={t.link.purpose}
          value={purpose}
          onValue={setPurpose}
          options={purposes.map((value) => ({ value, label: t.link.purposes[value].label }))}
          hint={t.link.purposes[purpose].hint}
        />
      </Form>
    </Dialog>
  );
}
