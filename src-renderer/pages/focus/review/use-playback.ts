import { type RefObject, useEffect, useRef, useState } from 'react';
import { ignoring } from '../../../api/ignoring.ts';
import { type Edits, skipTo } from './edit-list.ts';
import { useVideoWay, type VideoWay } from './use-video-way.ts';

/** A video that is played as it will be exported: what is cut is skipped, and it is mute where it shall be. */
export interface Playback {
  video: RefObject<HTMLVideoElement | null>;
  way: VideoWay;
  /** Milliseconds of the whole video. */
  atMs: number;
  durationMs: number;
  isPlaying: boolean;
  toggle: () => void;
  /** Also into what is cut, to look at it. */
  seek: (ms: number) => void;
  /** To be spread over the video. */
  handlers: VideoWay['handlers'] & { onPlay: () => void; onPause: () => void; onSeeked: () => void };
}

/** @param id of the recording  @param src where its video is fetched at first */
export function usePlayback(id: string, src: string, edits: Edits): Playback {
  const video = useRef<HTMLVideoElement>(null);
  const way = useVideoWay(video, { id, first: src, plays: false });
  const isAway = way.trouble !== undefined;
  const [atMs, setAtMs] = useState(0);
  const [durationMs, setDurationMs] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    if (video.current) video.current.muted = edits.mute;
  }, [edits.mute]);
  useEffect(() => {
    if (!isPlaying || isAway) return;
    let frame = requestAnimationFrame(function look() {
      const element = video.current;
      if (element) goOn(element, edits);
      if (element) setAtMs(element.currentTime * 1_000);
      frame = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, isAway, edits]);
  const tell = () => video.current && !isAway && setAtMs(video.current.currentTime * 1_000);
  const playOrPauseThen = () => {
    way.mark.current.isPlaying = !isPlaying;
    setIsPlaying(!isPlaying);
  };
  return {
    video,
    way,
    atMs,
    durationMs,
    isPlaying,
    toggle: () => {
      const element = video.current;
      if (isAway) playOrPauseThen();
      else if (element?.paused) void element.play().catch(ignoring('the video says what is wrong with it'));
      else element?.pause();
    },
    seek: (ms) => {
      if (!video.current) return;
      const wanted = Math.min(durationMs, Math.max(0, ms));
      if (isAway) way.mark.current.seconds = wanted / 1_000;
      else video.current.currentTime = wanted / 1_000;
      setAtMs(wanted);
    },
    handlers: {
      ...way.handlers,
      onLoadedMetadata: () => {
        const element = video.current;
        setDurationMs(Math.floor((element?.duration ?? 0) * 1_000));
        way.handlers.onLoadedMetadata();
        setIsPlaying(element?.paused === false);
      },
      onPlay: () => setIsPlaying(true),
      onPause: () => setIsPlaying(false),
      onSeeked: () => void tell(),
    },
  };
}

/** Leaves a piece that is cut; a cut to the end ends the playing where it begins. */
function goOn(element: HTMLVideoElement, edits: Edits): void {
  const to = skipTo(edits, element.currentTime * 1_000);
  if (to === undefined || element.seeking) return;
  if (to / 1_000 >= element.duration - 0.05) element.pause();
  else element.currentTime = to / 1_000;
}
