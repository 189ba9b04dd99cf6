import { useRef, useState } from 'react';
import { attachment as t } from '../../strings/en/conversation.ts';
import { position } from '../../strings/format.ts';
import { IconButton } from '../../ui/index.ts';
import { contentOf, type File } from './address.ts';

/** Plays an audio file. Its duration is known before it is played: browsers read that from the first bytes. */
export function Player({ file }: { file: File }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const { name } = file;
  const toggle = () => {
    const player = audio.current;
    if (isPlaying) player?.pause();
    else player?.play().catch(() => setFailed(true));
  };
  return (
    <div className="player">
      {/* biome-ignore lint/a11y/useMediaCaption: uploads have no captions */}
      <audio
        ref={audio}
        src={contentOf(file)}
        preload="metadata"
        onPlay={(event) => {
          pauseOthers(event.currentTarget);
          setPlaying(true);
        }}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onDurationChange={(event) => {
          const { duration } = event.currentTarget;
          if (Number.isFinite(duration)) setLength(duration);
        }}
        onError={() => setFailed(true)}
      />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? t.pause({ name }) : t.play({ name })}
        onClick={toggle}
      />
      <input
        type="range"
        className="player-line"
        min={0}
        max={length || 1}
        step="any"
        value={Math.min(at, length)}
        disabled={length === 0}
        aria-label={t.seek({ name })}
        aria-valuetext={t.seekAt({ at: position(at), of: position(length) })}
        onInput={(event) => {
          const to = Number(event.currentTarget.value);
          setAt(to);
          if (audio.current) audio.current.currentTime = to;
        }}
      />
      <span className="player-time">
        {hasFailed ? t.unplayable : t.seekAt({ at: position(at), of: position(length) })}
      </span>
    </div>
  );
}

/** Only one file is heard at a time. */
function pauseOthers(own: HTMLAudioElement): void {
  for (const other of document.querySelectorAll('audio')) if (other !== own) other.pause();
}
