import { useState } from 'react';
import { ui as t } from '../strings/en/common.ts';
import { Icon } from './Icon.tsx';
import { names } from './names.ts';
import './Avatar.css';

/** Whether somebody is there, as the API says it. */
type Presence = 'online' | 'idle' | 'dnd' | 'offline';

interface AvatarProps {
  /** Decides the colour behind the initials. */
  id: string;
  name: string;
  /** The address of the picture, on this server alone. While there is none, and where it fails, the initials show. */
  src?: string | null;
  /** Pixels; 36 unless told. */
  size?: number;
  presence?: Presence;
  /** A program, not a person: its corners are square, with a mark. */
  isAgent?: boolean;
  /** A server: its corners are square. */
  isServer?: boolean;
}

/** Angles on the wheel of colours that are told apart; all have the same lightness, so white text is legible on each. */
const hues = [12, 42, 70, 100, 135, 165, 190, 220, 250, 280, 310, 340];

function hueOf(id: string): number {
  let hash = 0;
  for (const char of id) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return hues[Math.abs(hash) % hues.length] as number;
}

/** The first character of the first and of the last word, no bracket or dot; whole characters, also those of several code points. */
function initialsOf(name: string): string {
  const words = name.split(/[\s\p{P}]+/u).filter(Boolean);
  const firsts = [words[0] ?? name, words.length > 1 ? words.at(-1) : undefined];
  return firsts
    .map((word) => (word ? [...new Intl.Segmenter().segment(word)][0]?.segment : ''))
    .join('')
    .toLocaleUpperCase();
}

/**
 * The picture of somebody, or of a server. Their name stands beside it, so it is silent but for the presence. Initials are no text: a
 * button around them would read otherwise than it is called.
 */
export function Avatar({ id, name, src, size = 36, presence, isAgent, isServer }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const hasPicture = src && failed !== src && /^(\/|blob:)/.test(src);
  return (
    <span
      className={names(
        'avatar',
        isAgent && 'avatar-agent',
        isServer && 'avatar-server',
        presence && 'avatar-marked',
      )}
      style={{ '--avatar-size': `${size}px`, '--avatar-hue': hueOf(id) } as object}
    >
      {hasPicture ? (
        <img
          className="avatar-face"
          src={src}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(src)}
        />
      ) : (
        <span className="avatar-face avatar-initials" data-initials={initialsOf(name)} />
      )}
      {isAgent && size >= 28 && (
        <span className="avatar-bot">
          <Icon name="bot" size={Math.round(size / 3)} />
        </span>
      )}
      {presence && <PresenceDot presence={presence} />}
    </span>
  );
}

/** A dot that says whether somebody is there: by its colour, its form, and a text for those who hear it. */
const PresenceDot = ({ presence }: { presence: Presence }) => (
  <span className={`presence presence-${presence}`}>
    <span className="only-read">{t.presence[presence]}</span>
  </span>
);
