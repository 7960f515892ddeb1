import type { Surface } from '../../../../src-preload/contract/focus.ts';
import type { NotRecorded } from '../../../state/recording.ts';

const FRAMES_PER_SECOND = 15;
const SURFACES: Record<string, Surface> = { monitor: 'screen', window: 'window', browser: 'tab' };
/** The least that a picture may have, also where the browser does not say. */
const LEAST_SIDE = 16;

export interface Sound {
  microphone: boolean;
  system: boolean;
}

/** What is recorded: what somebody chose to share, with its sound. */
export interface Source {
  /** What goes into the recording: one picture, at most one sound. */
  stream: MediaStream;
  surface: Surface;
  /** What there is of what was asked for: not everything that can be shared has a sound. */
  sound: Sound;
  /** How large the picture is, as far as the browser knows by now: before the first one came it tells what may come. Pixels. */
  pictureSize(): { width: number; height: number };
  /** Whether it is this very page: only then can it count keys. */
  isOwnPage: boolean;
  /** What the browser calls it: of a window its title in some, in others a number. */
  label: string;
  /** Called once nothing is shared any more, and not by us. */
  onEnded(listener: () => void): void;
  /** Called when a sound ends before the picture: a microphone was pulled out. */
  onSoundEnded(listener: (which: keyof Sound) => void): void;
  close(): void;
}

/** Nothing can be recorded. Without a reason: somebody did not want to. */
export class NoSource extends Error {
  readonly problem: NotRecorded | undefined;

  constructor(problem?: NotRecorded) {
    super(problem ?? 'not wanted');
    this.problem = problem;
  }
}

// What TypeScript does not know of yet: https://w3c.github.io/mediacapture-screen-share/
interface ShareOptions extends DisplayMediaStreamOptions {
  selfBrowserSurface: 'include';
  systemAudio: 'include' | 'exclude';
}
interface MediaDevicesWithHandles extends MediaDevices {
  setCaptureHandleConfig?(config: { handle: string; permittedOrigins: string[] }): void;
}
interface TrackWithHandle extends MediaStreamTrack {
  getCaptureHandle?(): { handle?: string } | null;
}

/** Asks what to record. Only while a click is being answered. @param chosen what it is, where that is known @throws NoSource */
export async function openSource(wanted: Sound, chosen?: Surface): Promise<Source> {
  if (!navigator.mediaDevices?.getDisplayMedia || !('MediaRecorder' in window)) throw new NoSource('notSupported');
  const handle = nameThisPage();
  const shared = await share(wanted.system);
  const microphone = wanted.microphone ? await listen(shared) : undefined;
  const [picture] = shared.getVideoTracks();
  if (!picture) throw new NoSource('noPicture');
  const mix = mixed(shared.getAudioTracks(), microphone?.getAudioTracks() ?? []);
  const { displaySurface = '' } = picture.getSettings();
  return {
    stream: new MediaStream([picture, ...mix.tracks]),
    surface: chosen ?? SURFACES[displaySurface] ?? 'screen',
    sound: { microphone: microphone !== undefined, system: shared.getAudioTracks().length > 0 },
    pictureSize: () => sizeOf(picture),
    isOwnPage: (picture as TrackWithHandle).getCaptureHandle?.()?.handle === handle,
    onEnded: (listener) => picture.addEventListener('ended', listener, { once: true }),
    label: picture.label,
    onSoundEnded: (listener) => {
      tellEnd(shared.getAudioTracks(), () => listener('system'));
      tellEnd(microphone?.getAudioTracks() ?? [], () => listener('microphone'));
    },
    close: () => {
      stop(shared);
      if (microphone) stop(microphone);
      mix.close();
    },
  };
}

function sizeOf(picture: MediaStreamTrack): { width: number; height: number } {
  const { width = 0, height = 0 } = picture.getSettings();
  return { width: Math.max(LEAST_SIDE, width), height: Math.max(LEAST_SIDE, height) };
}

/** Whoever is shared can be asked for its name: that is how a page knows itself. */
function nameThisPage(): string {
  const handle = crypto.randomUUID();
  const devices: MediaDevicesWithHandles = navigator.mediaDevices;
  devices.setCaptureHandleConfig?.({ handle, permittedOrigins: [location.origin] });
  return handle;
}

async function share(withSound: boolean): Promise<MediaStream> {
  const options: ShareOptions = {
    video: { frameRate: FRAMES_PER_SECOND },
    audio: withSound,
    selfBrowserSurface: 'include',
    systemAudio: withSound ? 'include' : 'exclude',
  };
  try {
    return await navigator.mediaDevices.getDisplayMedia(options);
  } catch (cause) {
    throw new NoSource(isUnwanted(cause) ? undefined : 'noPicture');
  }
}

async function listen(shared: MediaStream): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    stop(shared);
    throw new NoSource('noMicrophone');
  }
}

function tellEnd(tracks: MediaStreamTrack[], listener: () => void): void {
  for (const track of tracks) track.addEventListener('ended', listener, { once: true });
}

/** A recorder takes one sound: two are mixed. */
function mixed(system: MediaStreamTrack[], microphone: MediaStreamTrack[]) {
  const tracks = [...system, ...microphone];
  if (tracks.length < 2) return { tracks, close: () => undefined };
  const context = new AudioContext();
  const mix = context.createMediaStreamDestination();
  for (const track of tracks) context.createMediaStreamSource(new MediaStream([track])).connect(mix);
  return { tracks: mix.stream.getAudioTracks(), close: () => void (context.state !== 'closed' && context.close()) };
}

/** Somebody closed the browser’s own dialog. */
function isUnwanted(cause: unknown): boolean {
  return cause instanceof DOMException && (cause.name === 'NotAllowedError' || cause.name === 'AbortError');
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
