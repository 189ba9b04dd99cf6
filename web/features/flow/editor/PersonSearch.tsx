import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { Button, Dialog, TextField, useRested } from '../../../ui/index.ts';
import { Row, Rows } from '../../settings/index.ts';
import { usePages } from '../../settings/server/index.ts';

interface PersonSearchProps {
  serverId: string;
  onPick: (userId: string) => void;
  onClose: () => void;
}

/** Finds a member of the server. */
export function PersonSearch({ serverId, onPick, onClose }: PersonSearchProps) {
  const [text, setText] = useState('');
  const q = useRested(text.trim());
  const pages = usePages(
    `person ${q}`,
    (cursor) => api(serverId).serverMembers({ serverId, cursor, limit: 20, ...(q && { q }) }),
    (page) => ({ serverMember: page, user: page.map(({ user }) => user) }),
  );
  const members = pages.pages.flat();
  return (
    <Dialog title={t.search} size="s" onClose={onClose}>
      <div className="stack">
        <TextField type="search" label={serverSettings.findMember} value={text} onText={setText} />
        <Rows
          label={t.people}
          pages={pages}
          count={members.length}
          empty={{ icon: 'search', title: common.noResults, text: serverSettings.noMemberMore }}
        >
          {members.map(({ id, userId, nickname, user }) => (
            <Row
              key={id}
              title={nickname ?? user.name}
              note={<bdi>@{user.username}</bdi>}
              actions={
                <Button
                  size="small"
                  aria-label={t.chooseNamed({ name: nickname ?? user.name })}
                  onClick={() => onPick(userId)}
                >
                  {serverSettings.choose}
                </Button>
              }
            />
          ))}
        </Rows>
      </div>
    </Dialog>
  );
}
