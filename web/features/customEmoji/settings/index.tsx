import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import type { Rows } from '../../../replica/types.ts';
import { common } from '../../../strings/en/common.ts';
import { serverSettings, emojiSettings as t } from '../../../strings/en/serverSettings.ts';
import { ago } from '../../../strings/format.ts';
import { IconButton, WithName } from '../../../ui/index.ts';
import { CustomPicture } from '../../emoji/index.ts';
import { Closed, Create, Facts, FoundRows, Page, Row, useFind } from '../../settings/index.ts';
import { Ask, type SectionProps, Who } from '../../settings/server/index.ts';
import { NewEmoji } from './NewEmoji.tsx';
import './customEmoji.css';

type Emoji = Rows['emoji'];

const codeOf = ({ name }: Emoji): string => `:${name}:`;

export default function CustomEmoji({ serverId }: SectionProps) {
  const may = useMay(serverId, 'emoji insert');
  const emoji = useRows('emoji', 'serverId', serverId);
  const found = useFind(t.find, emoji, ({ name }) => [name]);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={may.allowed && <Create label={t.add} onClick={() => setAdding(true)} />}
    >
      <Closed permission={may} what={common.viewOnly} />
      <FoundRows label={t.title} found={found} empty={{ icon: 'smile', title: t.none, text: t.noneMore }}>
        {(one) => <EmojiRow key={one.id} emoji={one} />}
      </FoundRows>
      {isAdding && <NewEmoji serverId={serverId} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function EmojiRow({ emoji }: { emoji: Emoji }) {
  const { id, serverId, url, creatorId, createdAt } = emoji;
  const may = useMay(serverId, 'emoji delete', { ownerId: creatorId });
  const [isAsking, setAsking] = useState(false);
  const code = codeOf(emoji);
  return (
    <Row
      mark={
        <span className="setting-emoji">
          <CustomPicture text={code} url={url} />
        </span>
      }
      title={code}
      note={
        <Facts
          of={[
            <span key="by">
              {serverSettings.createdBy({ when: ago(createdAt) })}{' '}
              <Who serverId={serverId} userId={creatorId} />
            </span>,
          ]}
        />
      }
      actions={
        may.allowed && (
          <IconButton
            size="small"
            icon="trash"
            label={common.deleteNamed({ name: code })}
            onClick={() => setAsking(true)}
          />
        )
      }
    >
      {isAsking && (
        <Ask
          permission={may}
          title={<WithName words={t.ask} values={{ name: code }} />}
          text={t.askMore}
          action={common.delete}
          isDanger
          onConfirm={() => api(serverId).emojiDelete({ id })}
          done={t.deleted({ name: code })}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}
