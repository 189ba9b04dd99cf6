import { imageUrl } from '../../../api/base.ts';
import { api, type Records } from '../../../api/index.ts';
import { uploadPicture } from '../../../api/raw.ts';
import { overviewSettings as t } from '../../../strings/en/serverSettings.ts';
import { Avatar, Button, Icon } from '../../../ui/index.ts';
import { PictureField } from '../../settings/index.ts';
import './overview.css';

interface PictureProps {
  server: Records['Server'];
  what: 'icon' | 'banner';
  isClosed: boolean;
}

/** The icon or banner of a server. */
export function Picture({ server, what, isClosed }: PictureProps) {
  const { id, name } = server;
  const words = t[what];
  const source = server[what];
  return (
    <PictureField
      label={words.label}
      title={words.label}
      hint={words.hint}
      face={
        what === 'icon' ? (
          <span className="setting-icon">
            <Avatar id={id} name={name} src={source} size={88} isServer />
          </span>
        ) : source ? (
          <img className="setting-banner" src={imageUrl(source)} alt="" />
        ) : (
          <span className="setting-banner setting-banner-none">
            <Icon name="image" size={24} />
          </span>
        )
      }
      choose={isClosed ? undefined : source ? words.change : words.choose}
      onFile={(file) => uploadPicture(id, what, file)}
    >
      {({ isBusy, run }) =>
        source &&
        !isClosed && (
          <Button
            size="small"
            kind="quiet"
            disabled={isBusy}
            onClick={() => run(() => api(id).serverUpdate({ serverId: id, [what]: null }))}
          >
            {words.take}
          </Button>
        )
      }
    </PictureField>
  );
}
