import { useState } from 'react';
import { imageUrl } from '../api/base.ts';
import { ui as t } from '../strings/en/common.ts';
import { Icon } from './Icon.tsx';
import { names } from './names.ts';
import './Avatar.css';

/** Presence, as in the API. */
type Presence = 'online' | 'idle' | 'dnd' | 'offline';

interface AvatarProps {
  /** Seeds the colour behind the initials. */
  id: string;
  name: string;
  /**
   * URL of the image: a path on this server, or a `blob:` URL. Without one, or if it fails to load, the initials
   * are shown.
   */
  src?: string | null;
  /** The size in px; 36 by default. */
  size?: number;
  presence?: Presence;
  /** True for an agent, whose picture is a rounded square with a badge. */
  isAgent?: boolean;
  /** True for a server, whose picture is a rounded square. */
  isServer?: boolean;
}

/** Distinguishable hues in degrees. All use the same lightness, so white text is legible on each. */
const hues = [12, 42, 70, 100, 135, 165, 190, 220, 250, 280, 310, 340];

function hueOf(id: string): number {
  let hash = 0;
  for (const char of id) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return hues[Math.abs(hash) % hues.length] as number;
}

/**
 * The first characters of the first and last word, without punctuation. Keeps characters whole, even those
 * of several code points.
 */
function initialsOf(name: string): string {
  const words = name.split(/[\s\p{P}]+/u).filter(Boolean);
  const firsts = [words[0] ?? name, words.length > 1 ? words.at(-1) : undefined];
  return firsts
    .map((word) => (word ? [...new Intl.Segmenter().segment(word)][0]?.segment : ''))
    .join('')
    .toLocaleUpperCase();
}

/**
 * The avatar of a user or server. The name is shown next to it, so only the presence is announced. The
 * initials are CSS content, so they are not part of the text that typeahead searches.
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
          src={imageUrl(src)}
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

/** A presence dot: a colour, a shape, and text for screen readers. */
const PresenceDot = ({ presence }: { presence: Presence }) => (
  <span className={`presence presence-${presence}`}>
    <span className="only-read">{t.presence[presence]}</span>
  </span>
);
