import { useState } from 'react';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { roleSettings as t } from '../../../strings/en/serverSettings.ts';
import { Empty } from '../../../ui/index.ts';
import { Closed, Create, nothingFound, Page, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Matrix } from './Matrix.tsx';
import { NewRole } from './NewRole.tsx';
import { RoleDialog } from './RoleDialog.tsx';

/** The number of roles shown at first. */
const COLUMNS = 24;

export default function Roles({ serverId }: SectionProps) {
  const roles = useRows('role', 'serverId', serverId);
  const may = useMay(serverId, 'role insert');
  const found = useFind(t.findRole, roles, ({ name }) => [name], { step: COLUMNS });
  const [isNew, setNew] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const open = roles.find(({ id }) => id === openId);
  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={may.allowed && <Create label={t.create} onClick={() => setNew(true)} />}
    >
      <Closed permission={may} what={common.viewOnly} />
      {found.field}
      <Matrix serverId={serverId} roles={found.rows} onOpen={setOpenId} />
      {found.rows.length === 0 && <Empty {...nothingFound()} />}
      {found.rest}
      {isNew && <NewRole serverId={serverId} onClose={() => setNew(false)} />}
      {open && <RoleDialog role={open} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}
