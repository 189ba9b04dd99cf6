import { api } from '../../../api/index.ts';
import { serverMenu as t } from '../../../strings/en/menus.ts';
import { confirm, WithName } from '../../../ui/index.ts';

/** Asks for confirmation, then leaves a server. */
export const askToLeave = ({ id, name }: { id: string; name: string }): void =>
  confirm.ask({
    title: <WithName words={t.leaveAsk} values={{ name }} />,
    text: t.leaveMore,
    action: t.leave,
    isDanger: true,
    onConfirm: () => api(id).serverLeave({ id }),
  });
