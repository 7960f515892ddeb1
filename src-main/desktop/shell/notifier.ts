import { Notification } from 'electron';
import type { Download } from '../../../src-preload/contract/models.ts';
import { wordsOf } from '../../../src-preload/contract/saying.ts';
import type { Booking } from '../../credits/credits.ts';
import { achievementById } from '../../credits/score/achievements.ts';
import type { NodeGlance } from './node-glance.ts';
import type { NodeWatch } from './node-watch.ts';
import { iconFile } from './paths.ts';
import type { ShownTexts } from './texts.ts';

export interface NotifierOptions {
  watch: NodeWatch;
  texts: () => ShownTexts;
  /** Whether people want to be told. */
  enabled: () => boolean;
  /** Shows the screen that says more. */
  onClick: (page: string) => void;
}

/** Tells of achievements, finished downloads and trouble. A resource. */
export class Notifier {
  readonly #options: NotifierOptions;
  /** What is shown must be held, or a click on it is lost. */
  readonly #shown = new Set<Notification>();

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  open(): void {
    this.#options.watch.on('booked', this.#onBooked).on('download', this.#onDownload).on('glance', this.#onGlance);
  }

  close(): void {
    this.#options.watch.off('booked', this.#onBooked).off('download', this.#onDownload).off('glance', this.#onGlance);
    for (const notification of this.#shown) notification.close();
    this.#shown.clear();
  }

  /** @param page address of the screen that a click opens */
  tell(title: string, body: string, page: string): void {
    if (!this.#options.enabled() || !Notification.isSupported()) return;
    const notification = new Notification({ title, body, icon: iconFile('icon.png') });
    this.#shown.add(notification);
    notification.on('click', () => this.#options.onClick(page));
    for (const end of ['click', 'close', 'failed'] as const) {
      notification.on(end as 'close', () => this.#shown.delete(notification));
    }
    notification.show();
  }

  readonly #onBooked = ({ achievements }: Booking): void => {
    const texts = this.#options.texts();
    for (const id of achievements) {
      const achievement = achievementById(id);
      if (!achievement) continue;
      const title = texts.named({ key: `achievement.${id}` }, achievement.title);
      this.tell(texts.achievement(title), texts.achievementBonus(texts.number(achievement.bonus)), '/#/');
    }
  };

  readonly #onDownload = ({ name, state, problem }: Download): void => {
    const texts = this.#options.texts();
    if (state === 'done') this.tell(texts.downloadDone(name), texts.downloadDoneBody, '/#/models');
    if (state === 'failed')
      this.tell(texts.downloadFailed(name), problem ? texts.worded(wordsOf(problem, 'message')) : '', '/#/models');
  };

  readonly #onGlance = ({ state, reasons }: NodeGlance, before: NodeGlance): void => {
    if (state !== 'trouble' || before.state === 'trouble') return;
    const texts = this.#options.texts();
    this.tell(texts.troubleTitle, reasons.map(texts.worded).join(' ') || texts.states.trouble, '/#/');
  };
}
