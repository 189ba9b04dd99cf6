import { useEffect, useRef } from 'react';
import { common } from '../../strings/en/common.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { Avatar, Badge, Icon } from '../../ui/index.ts';
import { CustomPicture } from '../emoji/index.ts';
import type { Candidate } from './candidates.ts';
import type { Completion } from './useCompletion.ts';
import './CompletionList.css';

/** The DOM id of a candidate, for the text field's `aria-activedescendant`. */
export const optionId = (listId: string, at: number): string => `${listId}-${at}`;

/** The completions for the word at the caret, above the text field, which keeps the focus. */
export function CompletionList({ completion, id }: { completion: Completion; id: string }) {
  const { candidates, at, mark, choose, point } = completion;
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another candidate is selected
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, candidates]);
  const isOpen = candidates.length > 0 && mark !== undefined;
  return (
    <>
      {isOpen && (
        <div className="completion">
          <p className="tiny muted completion-title" aria-hidden="true">
            {t.completions[mark]}
          </p>
          <div
            ref={list}
            className="completion-list"
            id={id}
            role="listbox"
            tabIndex={-1}
            aria-label={t.completions[mark]}
          >
            {candidates.map((candidate, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
              <div
                key={candidate.key}
                id={optionId(id, index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className="completion-option"
                // Keeps the focus in the text field.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => index !== at && point(index)}
                onClick={() => choose(index)}
              >
                <Picture candidate={candidate} />
                <bdi className="ellipsis small completion-name">{candidate.name}</bdi>
                {candidate.kind === 'person' && candidate.person.isAgent && <Badge>{common.agent}</Badge>}
                {candidate.about && (
                  <bdi className="ellipsis tiny muted completion-about">{candidate.about}</bdi>
                )}
              </div>
            ))}
          </div>
        </div>
      )}
      <span className="only-read" role="status">
        {isOpen ? t.found({ count: candidates.length }) : ''}
      </span>
    </>
  );
}

function Picture({ candidate }: { candidate: Candidate }) {
  switch (candidate.kind) {
    case 'person': {
      const { id, name, image } = candidate.person;
      return <Avatar id={id} name={name} src={image} size={24} />;
    }
    case 'group':
      return (
        <span style={{ color: candidate.color ?? undefined }}>
          <Icon name="users" size={16} />
        </span>
      );
    case 'channel':
      return <Icon name={candidate.isPrivate ? 'lock' : 'hash'} size={16} />;
    case 'command':
    case 'option':
      return <Icon name={candidate.kind === 'command' ? 'square-terminal' : 'chevron-right'} size={16} />;
    case 'emoji':
      return (
        <span className="completion-emoji">
          {candidate.url ? <CustomPicture text={candidate.emoji} url={candidate.url} /> : candidate.emoji}
        </span>
      );
  }
}
