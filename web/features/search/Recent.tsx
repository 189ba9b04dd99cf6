import { useState } from 'react';
import { search as t } from '../../strings/en/panels.ts';
import { Button, Icon, List } from '../../ui/index.ts';
import { clearSearches, recentSearches } from './recent.ts';

interface RecentProps {
  userId: string;
  onChoose: (text: string) => void;
  /** True if the query has only filters, and they do not suffice without words. */
  needsWords: boolean;
}

/** Shown before a search: search tips and recent searches. */
export function Recent({ userId, onChoose, needsWords }: RecentProps) {
  const [recent, setRecent] = useState(() => recentSearches(userId));
  const forget = () => {
    clearSearches(userId);
    setRecent([]);
  };
  return (
    <div className="search-recent">
      {needsWords && <p role="status">{t.needsWords}</p>}
      {recent.length > 0 && (
        <>
          <div className="search-recent-head">
            <h3 className="side-panel-group">{t.recent}</h3>
            <Button kind="quiet" size="small" onClick={forget}>
              {t.forget}
            </Button>
          </div>
          <List className="search-results" label={t.recent} hasTypeahead={false}>
            {recent.map((text) => (
              <li key={text}>
                <button type="button" className="search-recent-row" data-item onClick={() => onChoose(text)}>
                  <Icon name="clock" size={16} />
                  <bdi className="ellipsis">{text}</bdi>
                </button>
              </li>
            ))}
          </List>
        </>
      )}
      <dl className="small muted search-hints">
        {t.hints.map(({ form, text }) => (
          <div key={form}>
            <dt>
              <code>{form}</code>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
