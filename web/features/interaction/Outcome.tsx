import type { ReactNode } from 'react';
import type { Rows } from '../../replica/types.ts';
import { blocks as t } from '../../strings/en/writing.ts';
import { Icon, IconButton } from '../../ui/index.ts';
import { Markdown } from '../markdown/index.ts';
import { useNamed } from '../mention/index.ts';
import { dismiss, useIsDismissed } from './dismissed.ts';
import './Outcome.css';

interface OutcomeProps {
  interaction: Rows['interaction'] | undefined;
  isSending?: boolean;
  /** The name of the agent. */
  agent: string;
  /** The user's action, unless it is obvious from the context. */
  what?: ReactNode;
}

/** The outcome of an interaction, and the agent's response that only the user sees. */
export function Outcome({ interaction, isSending = false, agent, what }: OutcomeProps) {
  const state = isSending ? 'pending' : interaction?.state;
  const isDismissed = useIsDismissed(interaction?.id ?? '');
  const answer = isSending || isDismissed ? null : (interaction?.ephemeral ?? null);
  return (
    <div className="outcome" role="status">
      {state !== undefined && (what !== undefined || state !== 'done' || answer === null) && (
        <p className="tiny muted outcome-state" data-state={state}>
          {what}
          {state === 'done' && <Icon name="check" size={14} />}
          {state === 'done' ? t.done : t[state]({ name: agent })}
        </p>
      )}
      {interaction && answer !== null && <Answer interaction={interaction} text={answer} />}
    </div>
  );
}

function Answer({ interaction, text }: { interaction: Rows['interaction']; text: string }) {
  const named = useNamed(interaction.serverId);
  return (
    <div className="outcome-answer">
      <div className="outcome-head">
        <Icon name="eye" size={14} />
        <span className="tiny muted">{t.onlyYou}</span>
        <IconButton size="small" icon="x" label={t.dismiss} onClick={() => dismiss(interaction.id)} />
      </div>
      <Markdown content={text} named={named} />
    </div>
  );
}
