import { api } from '../../../api/index.ts';
import { useSession } from '../../../replica/hooks.ts';
import { navigate } from '../../../routes.ts';
import { scheduled as t } from '../../../strings/en/writing.ts';
import { time, weekday } from '../../../strings/format.ts';
import { type Anchor, type MenuItem, MenuList, openDialog, toast } from '../../../ui/index.ts';
import { askAll } from '../../member/index.ts';
import { TimeDialog } from '../TimeDialog.tsx';
import { mornings, when } from '../times.ts';

/** A message to schedule. */
interface Schedulable {
  channelId: string;
  threadId?: string;
  replyToId?: string;
  content: string;
}

interface ScheduleMenuProps {
  anchor: Anchor;
  /** Returns the message in the composer. */
  make: () => Schedulable;
  hasFiles: boolean;
  /** Called with the message once it is scheduled. */
  onDone: (message: Schedulable) => void;
  onClose: () => void;
}

/** The composer's menu for scheduling the message. */
export default function ScheduleMenu({ anchor, make, hasFiles, onDone, onClose }: ScheduleMenuProps) {
  const session = useSession();
  const schedule = async (dueAt: number) => {
    const message = make();
    const channel = session.replica.row('channel', message.channelId);
    if (channel) await askAll(session, channel, message.content, () => save(message, dueAt), t.schedule);
  };
  const save = async (message: Schedulable, dueAt: number) => {
    await session.actions.load(
      () => api('none').scheduledMessageInsert({ ...message, dueAt }),
      (row) => ({ scheduledMessage: [{ ...row, content: message.content }] }),
    );
    onDone(message);
    const view = { label: t.view, onSelect: toPage };
    toast.show(t.done({ when: when(dueAt) }), { kind: 'good', action: view });
  };
  const at = (label: string, dueAt: number): MenuItem => ({
    ...{ label, icon: 'clock' },
    onSelect: () => void schedule(dueAt).catch(toast.error),
  });
  const { tomorrow, monday } = mornings(Date.now());
  const reason = make().content === '' ? t.empty : hasFiles ? t.noFiles : undefined;
  const items: MenuItem[] = [
    { heading: reason ?? t.schedule },
    ...(reason === undefined
      ? [
          at(t.tomorrow({ time: time(tomorrow) }), tomorrow),
          monday !== tomorrow && at(t.weekday({ day: weekday(monday).long, time: time(monday) }), monday),
          {
            ...({ label: t.custom, icon: 'calendar' } as const),
            onSelect: () =>
              openDialog((close) => (
                <TimeDialog
                  title={t.schedule}
                  action={t.schedule}
                  name="dueAt"
                  first={tomorrow}
                  onTime={schedule}
                  onClose={close}
                />
              )),
          },
        ]
      : []),
    'line',
    { label: t.all, icon: 'list', onSelect: toPage },
  ];
  return (
    <MenuList label={t.schedule} items={items} anchor={anchor} placement="above-end" onClose={onClose} />
  );
}

const toPage = () => navigate({ page: 'later', section: 'scheduled' });
