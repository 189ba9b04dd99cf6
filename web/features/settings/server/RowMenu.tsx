import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { IconButton, Menu, type MenuItem } from '../../../ui/index.ts';

export const RowMenu = ({ name, items }: { name: string; items: readonly MenuItem[] }) => (
  <Menu label={t.actionsFor({ name })} placement="below-end" items={items}>
    {(trigger) => <IconButton {...trigger} icon="ellipsis" label={t.actionsFor({ name })} />}
  </Menu>
);
