import { navigate } from '../../routes.ts';
import { late } from '../../ui/late.tsx';
import { ChannelDialog } from '../channel/index.ts';
import { ask, asked } from '../dialogs/index.ts';
import { InviteDialog } from '../invite/index.tsx';
import { CreateServer } from '../server/index.ts';

const PickDate = late(() => import('../conversation/date/index.tsx'));

const close = () => ask(undefined);

/** Where `ask` opens its dialogs. Once beside the page. */
export function DialogLayer() {
  const { now, count } = asked.use();
  switch (now?.dialog) {
    case 'server':
      return <CreateServer key={count} onClose={close} />;
    case 'channel':
      return (
        <ChannelDialog
          key={count}
          {...now}
          // In a new one, one goes on.
          onDone={({ id: channelId }) =>
            now.channel ?? navigate({ page: 'server', serverId: now.serverId, channelId })
          }
          onClose={close}
        />
      );
    case 'invite':
      return <InviteDialog key={count} {...now} onClose={close} />;
    case 'date':
      return <PickDate key={count} {...now} onClose={close} />;
    default:
      return null;
  }
}
