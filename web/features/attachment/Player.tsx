import { type ReactNode, useRef, useState } from 'react';
import { attachment as t } from '../../strings/en/conversation.ts';
import { position } from '../../strings/format.ts';
import { IconButton } from '../../ui/index.ts';
import { contentOf, type File, kindOf } from './address.ts';
import { type Box, filmBox } from './box.ts';

/** Plays a video or audio file. Before playback, the browser loads only metadata such as the duration. */
export default function Player({ file }: { file: File }): ReactNode {
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const { name } = file;
  const isFilm = kindOf(file) === 'film';
  const toggle = () => {
    const player = media.current;
    if (isPlaying) player?.pause();
    else player?.play().catch(() => setFailed(true));
  };
  const all = {
    ref: media,
    src: contentOf(file),
    preload: 'metadata',
    onPlay: () => {
      pauseOthers(media.current);
      setPlaying(true);
    },
    onPause: () => setPlaying(false),
    onTimeUpdate: () => setAt(media.current?.currentTime ?? 0),
    onVolumeChange: () => setMuted(media.current?.muted === true),
    onDurationChange: () => {
      const { duration = 0 } = media.current ?? {};
      if (Number.isFinite(duration)) setLength(duration);
    },
    onError: () => setFailed(true),
  } as const;
  return (
    <>
      {isFilm ? <Film {...filmBox(file)} name={name} all={all} onToggle={toggle} /> : <audio {...all} />}
      <div className="player">
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
            if (media.current) media.current.currentTime = to;
          }}
        />
        <span className="player-time">
          {hasFailed ? t.unplayable : t.seekAt({ at: position(at), of: position(length) })}
        </span>
        {isFilm && (
          <>
            <IconButton
              icon={isMuted ? 'volume-x' : 'volume-2'}
              label={isMuted ? t.unmute({ name }) : t.mute({ name })}
              onClick={() => {
                if (media.current) media.current.muted = !isMuted;
              }}
            />
            <IconButton icon="maximize" label={t.fullscreen({ name })} onClick={() => show(media.current)} />
          </>
        )}
      </div>
    </>
  );
}

interface FilmProps extends Box {
  name: string;
  all: object;
  onToggle: () => void;
}

const Film = ({ width, height, name, all, onToggle }: FilmProps) => (
  <video
    {...all}
    className="film-frame"
    playsInline
    width={width}
    height={height}
    style={{ aspectRatio: `${width} / ${height}` }}
    aria-label={name}
    onClick={onToggle}
  />
);

/**
 * Shows a video in full screen, with the browser's controls. Safari on iPhones has its own method for this.
 */
function show(film: (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null): void {
  if (!film) return;
  film.onfullscreenchange = () => {
    film.controls = document.fullscreenElement === film;
  };
  if (film.requestFullscreen) void film.requestFullscreen().catch(() => undefined);
  else film.webkitEnterFullscreen?.();
}

/** Pauses other players, so only one file plays at a time. */
function pauseOthers(own: HTMLMediaElement | null): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('audio, video'))
    if (other !== own) other.pause();
}
