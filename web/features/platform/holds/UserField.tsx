import { useEffect, useId, useState } from 'react';
import { api } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { TextField } from '../../../ui/index.ts';

/** Debounce for user suggestions, in ms. */
const WAIT_MS = 200;

/** A field for a username, which suggests the users of the platform. */
export function UserField({ name, hint }: { name: string; hint: string }) {
  const list = useId();
  const [typed, setTyped] = useState('');
  const [users, setUsers] = useState<readonly { id: string; username: string; name: string }[]>([]);
  useEffect(() => {
    const username = typed.trim().replace(/^@/, '').toLowerCase();
    let isStale = false;
    const waiting = setTimeout(async () => {
      const found = await api('none')
        .platformUsers({ limit: 10, ...(username !== '' && { username }) })
        .catch(() => undefined);
      if (!isStale && found) setUsers(found);
    }, WAIT_MS);
    return () => {
      isStale = true;
      clearTimeout(waiting);
    };
  }, [typed]);
  return (
    <>
      <TextField
        name={name}
        label={common.username}
        hint={hint}
        maxLength={33}
        spellCheck={false}
        list={list}
        onText={setTyped}
        isOptional
      />
      <datalist id={list}>
        {users.map((user) => (
          <option key={user.id} value={user.username} label={user.name} />
        ))}
      </datalist>
    </>
  );
}
