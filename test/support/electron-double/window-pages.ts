import type { Browser, Page, Request, Route } from 'playwright-core';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import type { FromApp, FromDriver } from './messages.ts';
import { FROM_DRIVER, type FromPage, pageScript, TO_DRIVER } from './page-script.ts';

/**
 * Chromium gives no page a scheme of its own making. The app's origin is shown under a name of this machine, which is just as
 * trustworthy to Chromium, and scripts that ask for the scheme find the one that is there.
 */
const SHOWN_ORIGIN = 'http://app.quarry-app.localhost';
const APP_ORIGIN = 'quarry-app://app';

const toShown = (url: string) => url.replace(APP_ORIGIN, SHOWN_ORIGIN);
const toApp = (url: string) => url.replace(SHOWN_ORIGIN, APP_ORIGIN);

/** Shows the app's windows as pages of a real Chromium, with everything they load coming from the app. */
export class WindowPages {
  /** Addresses outside the app that pages got as far as asking for; none of them is ever reached. */
  readonly strays: string[] = [];
  readonly #browser: Browser;
  readonly #tell: (message: FromDriver) => void;
  readonly #pages = new Map<number, Page>();
  readonly #opening = new Map<number, Promise<void>>();
  readonly #requests = new Map<number, (response: Extract<FromApp, { type: 'response' }>) => void>();
  readonly #ports = new Map<string, number>();
  #count = 0;
  #closed = false;

  constructor(browser: Browser, tell: (message: FromDriver) => void) {
    this.#browser = browser;
    this.#tell = tell;
  }

  /** The page of the window that is open. */
  get page(): Page | undefined {
    return [...this.#pages.values()].at(-1);
  }

  async hear(message: FromApp): Promise<void> {
    if (this.#closed) return; // the app may still end when its windows are gone
    if (message.type === 'open-window') this.#opening.set(message.window, this.#open(message));
    if (message.type === 'load') await this.#load(message.window, message.url);
    if (message.type === 'close-window') await this.#close(message.window);
    if (message.type === 'response') this.#requests.get(message.request)?.(message);
    if (message.type === 'port-message' || message.type === 'port-close') await this.#tellPage(message);
  }

  /** Takes the windows away without a word to the app. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#opening.values());
    for (const page of this.#pages.values()) await page.context().close();
    this.#pages.clear();
  }

  /** Closes the window as a person would. */
  closeByHand(): void {
    const window = [...this.#pages.keys()].at(-1);
    if (window !== undefined) this.#tell({ type: 'window-closed', window });
  }

  async #open({ window, width, height, preload }: Extract<FromApp, { type: 'open-window' }>): Promise<void> {
    const context = await this.#browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    await page.exposeBinding(TO_DRIVER, (_source, message: FromPage) => this.#hearPage(window, page, message));
    await page.addInitScript({ content: pageScript(preload) });
    await context.route('**/*', (route) => this.#answer(window, page, route));
    this.#pages.set(window, page);
  }

  async #load(window: number, url: string): Promise<void> {
    await this.#opening.get(window);
    const page = this.#pages.get(window);
    await page?.goto(toShown(url), { waitUntil: 'domcontentloaded' }).catch(ignoring('closed while it loaded'));
    this.#tell({ type: 'loaded', window });
  }

  async #close(window: number): Promise<void> {
    await this.#opening.get(window);
    const page = this.#pages.get(window);
    this.#pages.delete(window);
    await page?.context().close();
    this.#endPorts(window);
  }

  async #answer(window: number, page: Page, route: Route): Promise<void> {
    const request = route.request();
    const isPopup = request.isNavigationRequest() && pageOf(request) !== page;
    if (isPopup) this.#tell({ type: 'open-url', window, url: request.url() });
    const isStray = !request.url().startsWith(`${SHOWN_ORIGIN}/`);
    if (isStray && !isPopup) this.strays.push(request.url());
    if (isPopup || isStray) return await route.abort('blockedbyclient');
    const { status, headers, body } = await this.#ask(request);
    const bytes = Buffer.from(body, 'base64');
    const isScript = headers['content-type']?.startsWith('text/javascript');
    await route.fulfill({
      status,
      headers,
      body: isScript ? bytes.toString('utf8').replaceAll('quarry-app:', 'http:') : bytes,
    });
  }

  #ask(asked: Request): Promise<Extract<FromApp, { type: 'response' }>> {
    const request = this.#count++;
    const { promise, resolve } = Promise.withResolvers<Extract<FromApp, { type: 'response' }>>();
    this.#requests.set(request, resolve);
    const body = asked.postDataBuffer()?.toString('base64');
    this.#tell({
      type: 'request',
      request,
      url: toApp(asked.url()),
      method: asked.method(),
      headers: asked.headers(),
      ...(body !== undefined && { body }),
    });
    return promise.finally(() => this.#requests.delete(request));
  }

  #hearPage(window: number, page: Page, message: FromPage): void {
    if (message.type === 'document') {
      this.#endPorts(window);
    } else if (message.type === 'ipc') {
      for (const port of message.ports) this.#ports.set(port, window);
      this.#tell({ ...message, window, origin: toApp(new URL(page.url()).origin) });
    } else {
      this.#tell(message);
    }
  }

  /** The ports of a document end with it. */
  #endPorts(window: number): void {
    for (const [port, owner] of this.#ports) {
      if (owner !== window) continue;
      this.#ports.delete(port);
      this.#tell({ type: 'port-close', port });
    }
  }

  async #tellPage(message: Extract<FromApp, { type: 'port-message' | 'port-close' }>): Promise<void> {
    const page = this.#pages.get(this.#ports.get(message.port) ?? -1);
    const tell = `window.${FROM_DRIVER}?.(${JSON.stringify(message)})`;
    await page?.evaluate(tell).catch(ignoring('the page went away meanwhile'));
  }
}

/** The page that asks; undefined for one that is only about to be made. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined; // it has no frame yet
  }
}
