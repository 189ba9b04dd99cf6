import { useState } from 'react';
import { siteAddress } from '../../../api/base.ts';
import { api } from '../../../api/index.ts';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useRow } from '../../../replica/hooks.ts';
import { blocks as t } from '../../../strings/en/writing.ts';
import { IconButton, toast } from '../../../ui/index.ts';
import { Lightbox, Picture } from '../../attachment/index.ts';

interface PagePreviewProps {
  message: Records['ShownMessage'];
  page: Records['PreviewBlock'];
}

/** Maximum size of the picture, in px. */
const BESIDE = { width: 96, height: 96 };

/**
 * The title, description and picture of a page that a message links to. The picture is served by this installation.
 * Users who may edit the message can remove its previews.
 */
export function PagePreview({ message: { id, serverId, channelId, creatorId }, page }: PagePreviewProps) {
  const [isOpen, setOpen] = useState(false);
  const channel = useRow('channel', channelId);
  const target = { ...(channel && { channel }), ownerId: creatorId };
  const mayRemove = useMay(serverId, 'message update', target).allowed;
  // Linked messages have their own kind of preview.
  if (page.url.startsWith(`${siteAddress()}/`)) return null;
  const picture = page.image && { ...page.image, name: page.title };
  const { host } = new URL(page.url);
  const remove = () => api(serverId).messageSave({ messageId: id, blocks: [] }).catch(toast.error);
  return (
    <div className="block-preview">
      <a href={page.url} target="_blank" rel="noopener noreferrer">
        <span className="tiny muted ellipsis">
          {page.site !== undefined && <bdi>{page.site} · </bdi>}
          <bdi>{host}</bdi>
        </span>
        <b dir="auto">{page.title}</b>
        {page.text !== undefined && (
          <span className="small block-preview-text" dir="auto">
            {page.text}
          </span>
        )}
      </a>
      {picture && <Picture file={picture} most={BESIDE} isTile={false} onOpen={() => setOpen(true)} />}
      {picture && isOpen && <Lightbox pictures={[picture]} first={0} onClose={() => setOpen(false)} />}
      {mayRemove && <IconButton icon="x" size="small" label={t.removePreviews} onClick={remove} />}
    </div>
  );
}
