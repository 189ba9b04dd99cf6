import { useId } from 'react';
import { emoji as t } from '../../strings/en/conversation.ts';
import { keepTone, useTone } from './tone.ts';
import { toned, tones } from './toned.ts';

/** Selects the skin tone of all emoji that support one. */
export function Tones() {
  const chosen = useTone();
  const name = useId();
  return (
    <fieldset className="emoji-tones">
      <legend className="only-read">{t.tone}</legend>
      {tones.map((tone, index) => (
        <label key={tone} className="emoji-tone" data-tip={t.tones[index]}>
          <input
            type="radio"
            className="only-read"
            name={name}
            aria-label={t.tones[index]}
            checked={tone === chosen}
            onChange={() => keepTone(tone)}
          />
          {toned('✋', tone)}
        </label>
      ))}
    </fieldset>
  );
}
