import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { CHUNK_PATH } from '../../src-preload/contract/focus-limits.ts';
import { launchChromium } from './chromium.ts';
import { cookieOfLink } from './owner.ts';
import { QuarryProcess, temporaryFolder } from './quarry-process.ts';

/** Nobody is there to choose what is shared: it is this very page, and a microphone that beeps. The page keeps both, and the bytes of each chunk that its recorder gave out. */
const SHARES_ITSELF = `{
  const share = navigator.mediaDevices?.getDisplayMedia?.bind(navigator.mediaDevices);
  if (share) {
    navigator.mediaDevices.getDisplayMedia = async (options) =>
      (globalThis.screenShared = await share({ ...options, preferCurrentTab: true }));
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      const heard = context.createMediaStreamDestination();
      const beep = context.createOscillator();
      beep.connect(heard);
      beep.start();
      return (globalThis.microphone = heard.stream);
    };
    const Recorder = globalThis.MediaRecorder;
    globalThis.chunksGiven = [];
    globalThis.MediaRecorder = class extends Recorder {
      constructor(...args) {
        super(...args);
        this.addEventListener('dataavailable', ({ data }) => data.size > 0 && chunksGiven.push(data.size));
      }
    };
  }
}`;

/** A node and a page that records itself, each of which may end amid it. */
export class FocusWorld {
  readonly context: BrowserContext;
  readonly folder: string;
  readonly #browser: Browser;
  readonly #removeFolder: () => Promise<void>;
  page!: Page;
  node!: QuarryProcess;
  /** The last chunk that the node said it has, counted from 0 in its stream. */
  lastTaken = -1;
  #port = '0';

  private constructor(browser: Browser, context: BrowserContext, folder: { path: string; remove(): Promise<void> }) {
    this.#browser = browser;
    this.context = context;
    this.folder = folder.path;
    this.#removeFolder = folder.remove;
  }

  /** @param chromium one that has windows */
  static async open(chromium: string): Promise<FocusWorld> {
    const browser = await launchChromium(chromium, ['--auto-accept-this-tab-capture']);
    const context = await browser.newContext({ viewport: { width: 1_280, height: 720 } });
    await context.addInitScript(SHARES_ITSELF);
    const world = new FocusWorld(browser, context, await temporaryFolder());
    await world.startNode();
    await world.openPage();
    return world;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.node.stop();
    await this.#removeFolder();
  }

  /** At the port of the one before. */
  async startNode(): Promise<void> {
    const flags = ['--role', 'client', '--port', this.#port, '--data', this.folder, '--bootstrap', '127.0.0.1:9'];
    this.node = new QuarryProcess(['start', '--headless', ...flags], { QUARRY_SHOW_WELCOME: 'false' });
    const [, link = ''] = await this.node.printed(/screens\s+(\S+)/);
    this.#port = new URL(link).port;
    await this.context.addCookies([await cookieOfLink(link)]);
  }

  async openPage(): Promise<void> {
    this.page = await this.context.newPage();
    this.lastTaken = -1;
    this.page.on('response', (response) => {
      const { pathname, searchParams } = new URL(response.url());
      if (pathname === CHUNK_PATH && response.ok()) this.lastTaken = Number(searchParams.get('chunk'));
    });
    await this.page.goto(`http://127.0.0.1:${this.#port}/#/focus`);
  }

  /** Bytes of each chunk that this page's recorder gave out. */
  chunksGiven(): Promise<number[]> {
    return this.page.evaluate('chunksGiven') as Promise<number[]>;
  }

  /** Records until there are three seconds. */
  async begin(title: string): Promise<void> {
    await this.page.getByLabel('What are you going to do?').fill(title);
    await this.page.getByRole('button', { name: 'Choose what to record' }).click();
    await this.seconds(3);
  }

  /** Waits until the recording has so many seconds; keys are pressed meanwhile, and so the picture changes. */
  async seconds(count: number): Promise<void> {
    const timer = this.page.getByRole('timer');
    await expect
      .poll(async () => {
        await this.page.keyboard.press('Tab');
        const [minutes = 0, rest = 0] = ((await timer.textContent()) ?? '').split(':').map(Number);
        return 60 * minutes + rest;
      })
      .toBeGreaterThanOrEqual(count);
  }

  async finish(): Promise<void> {
    await this.page.getByRole('button', { name: 'Finish' }).click();
    await this.page.getByRole('button', { name: 'Choose what to record' }).waitFor();
  }

  /** What `quarry focus` says of what was recorded, as JSON. */
  async told(...args: string[]): Promise<unknown> {
    const command = new QuarryProcess(['focus', ...args, '--json', '--data', this.folder]);
    if ((await command.ended()) !== 0) throw new Error(`${args.join(' ')}: ${command.stdout}\n${command.stderr}`);
    return JSON.parse(command.stdout);
  }
}
