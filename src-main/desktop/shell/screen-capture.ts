import { type DesktopCapturerSource, desktopCapturer } from 'electron';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { CapturePort, CaptureSource } from '../../app/host/host-ports.ts';
import type { Shared } from '../guards/page-guards.ts';

/** Milliseconds between a choice and what comes of it: Chromium forgets a click after five seconds. */
const CHOSEN_MS = 10_000;
/** Enough to tell one window from another. */
const PICTURE = { width: 320, height: 180 };
const PICTURE_QUALITY = 70;

/** What the system has to record, and what somebody chose of it. */
export class ScreenCapture implements CapturePort {
  readonly #now: () => number;
  #listed: readonly DesktopCapturerSource[] = [];
  #chosen: (Shared & { until: number }) | undefined;

  /** @param now milliseconds that never go back. Default: since the process began */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  async sources(): Promise<CaptureSource[]> {
    this.#listed = await desktopCapturer.getSources({ types: ['screen', 'window'], thumbnailSize: PICTURE });
    return this.#listed.map(({ id, name, thumbnail }) => ({
      id,
      name,
      kind: id.startsWith('screen:') ? 'screen' : 'window',
      picture: thumbnail.isEmpty()
        ? ''
        : `data:image/jpeg;base64,${thumbnail.toJPEG(PICTURE_QUALITY).toString('base64')}`,
    }));
  }

  choose(id: string): void {
    const source = this.#listed.find((one) => one.id === id);
    if (!source) throw gone();
    this.#chosen = { id, name: source.name, until: this.#now() + CHOSEN_MS };
  }

  async titles(): Promise<string[] | null> {
    if (asksEachTime()) return null;
    const windows = await desktopCapturer.getSources({ types: ['window'], thumbnailSize: { width: 0, height: 0 } });
    return windows.map(({ name }) => name);
  }

  /** What was chosen a moment ago. It is given once: another recording is another choice. */
  take(): Shared | undefined {
    const chosen = this.#chosen;
    this.#chosen = undefined;
    return chosen && this.#now() <= chosen.until ? chosen : undefined;
  }
}

/** Under Wayland each look at the windows is a question to a person, and tells of none but what that one chose. */
function asksEachTime(): boolean {
  return process.platform === 'linux' && process.env.XDG_SESSION_TYPE === 'wayland';
}

const gone = () =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.capture.gone'), hint: say('focus.capture.gone.hint') });
