import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { RecordingCommand } from '../../../src-preload/contract/focus.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { NodeGlance, ShownHost, TrayState } from './node-glance.ts';
import type { NodeWatch } from './node-watch.ts';
import { iconFile } from './paths.ts';
import type { ShownTexts } from './texts.ts';

/** Today's points are looked up again after so many milliseconds, for midnight comes without an event. */
const POINTS_MS = 60_000;
/** A menu is as wide as its longest line. */
const MOST_TITLE_CHARS = 40;

type ShownRecording = NonNullable<NodeGlance['recording']>;

export interface TrayOptions {
  host: ShownHost;
  watch: NodeWatch;
  texts: () => ShownTexts;
  onOpen: () => void;
  onQuit: () => void;
}

/** The icon in the tray: state by its looks, quick actions by its menu. A resource. */
export class TrayIcon {
  readonly #options: TrayOptions;
  #tray: Tray | undefined;
  #timer: NodeJS.Timeout | undefined;
  #points = 0;

  constructor(options: TrayOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.#tray) return;
    const { watch, onOpen } = this.#options;
    this.#tray = new Tray(imageOf(watch.glance.state));
    this.#tray.on('click', onOpen);
    watch.on('glance', this.#refresh).on('booked', this.#countPoints);
    this.#timer = setInterval(this.#countPoints, POINTS_MS);
    this.#countPoints();
    this.#refresh();
  }

  close(): void {
    const { watch } = this.#options;
    clearInterval(this.#timer);
    watch.off('glance', this.#refresh).off('booked', this.#countPoints);
    this.#tray?.destroy();
    this.#tray = undefined;
  }

  readonly #refresh = (): void => {
    const { watch, texts } = this.#options;
    const { glance } = watch;
    const { states, worded } = texts();
    const reason = glance.reasons.map(worded).join(' ');
    const recording = glance.recording && recordingText(texts(), glance.recording);
    this.#tray?.setImage(imageOf(glance.state));
    this.#tray?.setToolTip(
      ['Quarry', states[glance.state], reason, recording].filter(Boolean).join(' · ').slice(0, 120),
    );
    this.#tray?.setContextMenu(Menu.buildFromTemplate(this.#menu(glance)));
  };

  readonly #countPoints = (): void => {
    const { host } = this.#options;
    void host.app?.credits.summary().then(
      ({ earnedToday }) => {
        this.#points = earnedToday;
        this.#refresh();
      },
      () => undefined, // the node is closing
    );
  };

  #menu({ state, mining, downloading, recording }: NodeGlance): MenuItemConstructorOptions[] {
    const { onOpen, onQuit } = this.#options;
    const texts = this.#options.texts();
    return [
      { label: `Quarry: ${texts.states[state]}`, enabled: false },
      { label: texts.pointsToday(texts.number(this.#points)), enabled: false },
      { type: 'separator' },
      { id: 'open', label: texts.open, click: onOpen },
      ...(mining === 'start' ? [{ id: 'start', label: texts.startMining, click: () => this.#mine('start') }] : []),
      ...(mining === 'stop' ? [{ id: 'stop', label: texts.stopMining, click: () => this.#mine('stop') }] : []),
      { id: 'pause-downloads', label: texts.pauseDownloads, enabled: downloading, click: () => this.#pauseDownloads() },
      ...(recording ? this.#recordingItems(recording) : []),
      { type: 'separator' },
      { id: 'quit', label: texts.quit, click: onQuit },
    ];
  }

  /** How recording stands, and what can be done about it: the page that records does it. */
  #recordingItems(recording: ShownRecording): MenuItemConstructorOptions[] {
    const texts = this.#options.texts();
    const send = (command: RecordingCommand['command']) => () => {
      this.#options.host.app?.focus.commands.send({ command });
    };
    const pausing = recording.paused
      ? { id: 'resume-recording', label: texts.resumeRecording, click: send('resume') }
      : { id: 'pause-recording', label: texts.pauseRecording, click: send('pause') };
    return [
      { type: 'separator' },
      { id: 'recording', label: recordingText(texts, recording), enabled: false },
      pausing,
      { id: 'finish-recording', label: texts.finishRecording, click: send('finish') },
    ];
  }

  /** What goes wrong shows as the node's state, here and in the window. */
  #mine(step: 'start' | 'stop'): void {
    void this.#options.host.app?.mining?.switch[step]().catch(() => this.#options.watch.look());
  }

  #pauseDownloads(): void {
    const downloads = this.#options.host.app?.models.downloads;
    for (const { name, state } of downloads?.list() ?? []) {
      if (state === 'waiting' || state === 'downloading')
        void downloads?.pause(name).catch(ignoring('its row on the screen says what became of it'));
    }
  }
}

function recordingText(texts: ShownTexts, { title, minutes, paused }: ShownRecording): string {
  const short = title.length > MOST_TITLE_CHARS ? `${title.slice(0, MOST_TITLE_CHARS - 1)}…` : title;
  return (paused ? texts.recordingPaused : texts.recording)(short, texts.number(minutes));
}

/** On macOS the bar's own colours are put in place of the image's. */
function imageOf(state: TrayState) {
  const looks = state === 'starting' ? 'stopped' : state;
  const isMac = process.platform === 'darwin';
  const image = nativeImage.createFromPath(iconFile(join('tray', `${looks}${isMac ? 'Template' : ''}.png`)));
  image.setTemplateImage(isMac);
  return image;
}
