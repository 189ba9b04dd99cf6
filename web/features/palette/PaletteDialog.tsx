import { CreateChannel } from '../channel/index.ts';
import { InviteDialog } from '../invite/index.tsx';
import { CreateServer } from '../server/index.ts';
import type { Asked } from './from.ts';

/** The dialog in which an action of the palette goes on. */
export function PaletteDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  switch (asked.dialog) {
    case 'server':
      return <CreateServer onClose={onClose} />;
    case 'channel':
      return <CreateChannel serverId={asked.serverId} onClose={onClose} />;
    case 'invite':
      return <InviteDialog serverId={asked.serverId} onClose={onClose} />;
  }
}
