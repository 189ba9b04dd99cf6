import { useState } from 'react';
import { imageUrl } from '../../api/base.ts';
import { useRows } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import type { Rows } from '../../replica/types.ts';
import { type CustomEmoji, pictureFor } from './named.ts';
import './custom.css';

/** Caches one map per list, because every message reads it. */
const known = new WeakMap<readonly Rows['emoji'][], CustomEmoji>();

function mapOf(rows: readonly Rows['emoji'][]): CustomEmoji {
  const found = known.get(rows) ?? new Map(rows.map(({ name, url }) => [name, url]));
  known.set(rows, found);
  return found;
}

/** A server's custom emoji. Returns the same object until one is added or deleted. */
export const useCustomEmoji = (serverId: string): CustomEmoji =>
  mapOf(useRows('emoji', 'serverId', serverId));

/** Like `useCustomEmoji`, but for use outside components. */
export const customEmojiIn = ({ replica }: Session, serverId: string): CustomEmoji =>
  mapOf(replica.rows('emoji', 'serverId', serverId));

/**
 * A custom emoji as a picture in the size of the surrounding text. Falls back to its name if the picture fails
 * to load.
 */
export function CustomPicture({ text, url }: { text: string; url: string }) {
  const [failed, setFailed] = useState<string>();
  if (failed === url) return <bdi>{text}</bdi>;
  return (
    <img
      className="custom-emoji"
      src={imageUrl(url)}
      alt={text}
      title={text}
      draggable={false}
      onError={() => setFailed(url)}
    />
  );
}

/** The emoji of a reaction: a picture if it is a custom one, else the text. */
export function EmojiFace({ text, custom }: { text: string; custom: CustomEmoji }) {
  const url = pictureFor(custom, text);
  return url === undefined ? text : <CustomPicture text={text} url={url} />;
}
