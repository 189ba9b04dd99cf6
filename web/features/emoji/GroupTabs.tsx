import { emoji as t } from '../../strings/en/conversation.ts';

const glyphs: Record<string, string> = {
  recent: '🕘',
  custom: '✨',
  smileys: '😀',
  people: '👋',
  nature: '🌿',
  food: '🍎',
  travel: '🚗',
  activities: '⚽',
  objects: '💡',
  symbols: '♻️',
  flags: '🏁',
};
const titles: Record<string, string> = t.groups;

/** Buttons that each scroll to a group of emoji. */
export const GroupTabs = ({ groups, onSelect }: { groups: string[]; onSelect: (key: string) => void }) => (
  <div className="emoji-picker-groups" role="toolbar" aria-label={t.toGroup}>
    {groups.map((key) => (
      <button
        key={key}
        type="button"
        className="emoji-picker-group"
        aria-label={titles[key]}
        data-tip={titles[key]}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onSelect(key)}
      >
        {glyphs[key]}
      </button>
    ))}
  </div>
);
