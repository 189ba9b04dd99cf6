import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useRows, useSession } from '../../../replica/hooks.ts';
import type { Rows } from '../../../replica/types.ts';
import { act } from '../own.ts';

type Interaction = Rows['interaction'];

/** The user's interactions with the elements of a block. */
export interface Acting {
  /** The latest interaction with each element, by its id. */
  of(actionId: string): Interaction | undefined;
  /** The latest interaction with any element. A pending interaction takes precedence. */
  latest: Interaction | undefined;
  /** The element whose interaction is being sent. */
  sending: string | undefined;
  /** The error of the last request. */
  error: unknown;
  /** Sends an interaction. Stores errors in `error`. */
  act(actionId: string, value?: string): void;
  /** Like `act`, but for a form, which shows errors itself. Rejects with PalaverError. */
  submit(actionId: string, value: object): Promise<void>;
}

/** The user's interactions with the elements of a block, and their outcomes. */
export function useActing(message: Records['ShownMessage'], blockId: string): Acting {
  const session = useSession();
  const { id: messageId, serverId } = message;
  const rows = useRows('interaction', 'messageId', messageId).filter((row) => row.blockId === blockId);
  const [sending, setSending] = useState<string>();
  const [error, setError] = useState<unknown>();

  async function send(actionId: string, value?: unknown): Promise<void> {
    setSending(actionId);
    setError(undefined);
    try {
      await act(session, serverId, {
        ...{ messageId, blockId, actionId },
        ...(value !== undefined && { value }),
      });
    } finally {
      setSending(undefined);
    }
  }

  return {
    of: (actionId) => rows.findLast((row) => row.actionId === actionId),
    latest:
      rows.findLast(({ state }) => state === 'pending') ??
      rows.reduce<Interaction | undefined>(
        (last, row) => (last && last.updatedAt > row.updatedAt ? last : row),
        undefined,
      ),
    sending,
    error,
    act: (actionId, value) => {
      if (sending === undefined) send(actionId, value).catch(setError);
    },
    submit: send,
  };
}
