import { Fragment, useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { Attachments, alone, Lightbox, Picture } from '../../attachment/index.ts';
import { Markdown, type Named } from '../../markdown/index.ts';
import { useNamed } from '../../mention/index.ts';
import { useOwnInteractions } from '../own.ts';
import { Actions } from './Actions.tsx';
import { PagePreview } from './PagePreview.tsx';
import { Tasks } from './Tasks.tsx';
import './Blocks.css';

type Message = Records['ShownMessage'];
type Block = NonNullable<Message['blocks']>[number];
type File = Records['MessageAttachment'];

/** Maximum size of an image next to text, in px. */
const BESIDE = { width: 96, height: 96 };

const imageIn = (block: Block) =>
  block.type === 'image' ? block : block.type === 'section' ? block.image : undefined;

const isActive = (block: Block): boolean =>
  block.type === 'actions' || (block.type === 'section' && block.button !== undefined);

/** The blocks of a message, followed by the files that no block shows. */
export default function MessageBlocks({ message }: { message: Message }) {
  const { id, serverId, blocks = [], attachments = [] } = message;
  const named = useNamed(serverId);
  useOwnInteractions(serverId, id, blocks.some(isActive));
  const shown = new Set(blocks.map((block) => imageIn(block)?.attachmentId));
  const others = attachments.filter((file) => !shown.has(file.id));
  return (
    <>
      <div className="blocks">
        {blocks.map((block) => (
          <Fragment key={block.id}>
            <Shown block={block} message={message} named={named} />
          </Fragment>
        ))}
      </div>
      {others.length > 0 && <Attachments files={others} />}
    </>
  );
}

function Shown({ block, message, named }: { block: Block; message: Message; named: Named }) {
  switch (block.type) {
    case 'section':
      return (
        <div className="block-section">
          <div className="block-section-text">
            <Markdown content={block.text} named={named} />
          </div>
          {block.image && <Image message={message} {...block.image} isBeside />}
          {block.button && <Actions message={message} blockId={block.id ?? ''} elements={[block.button]} />}
        </div>
      );
    case 'image':
      return <Image message={message} attachmentId={block.attachmentId} alt={block.alt} />;
    case 'divider':
      return <hr className="block-divider" />;
    case 'context':
      return (
        <div className="tiny muted">
          <Markdown content={block.text} named={named} />
        </div>
      );
    case 'actions':
      return (
        <Actions
          message={message}
          blockId={block.id}
          elements={block.elements}
          approval={block.deciders && block}
        />
      );
    case 'taskList':
      return <Tasks title={block.title} tasks={block.tasks} />;
    case 'preview':
      return <PagePreview message={message} page={block} />;
    default:
      // This version of the client does not know the block's type.
      return null;
  }
}

interface ImageProps {
  message: Message;
  attachmentId: string;
  alt: string;
  isBeside?: boolean;
}

function Image({ message, attachmentId, alt, isBeside }: ImageProps) {
  const [isOpen, setOpen] = useState(false);
  const file = message.attachments?.find(({ id }) => id === attachmentId);
  if (!file) return null;
  const described: File = { ...file, name: alt };
  return (
    <div className="block-image">
      <Picture
        file={described}
        most={isBeside ? BESIDE : alone}
        isTile={false}
        onOpen={() => setOpen(true)}
      />
      {isOpen && <Lightbox pictures={[described]} first={0} onClose={() => setOpen(false)} />}
    </div>
  );
}
