import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { trainerPage } from '../../../build/trainer-page.ts';
import { serveTrainer } from '../../../src-main/desktop/guards/app-protocol.ts';
import type { Port } from '../../../src-main/learning/training/page/calls.ts';
import { launchChromium } from '../chromium.ts';
import { fromText, toText } from '../cloned-text.ts';

/** WebGPU on the processor: it shows that what is computed is right, and nothing of how fast. */
export const SOFTWARE_WEBGPU = [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan,WebGPU',
  '--use-webgpu-adapter=swiftshader',
  '--use-angle=swiftshader',
];

/** A name of this machine, trustworthy to Chromium: it has no scheme of ours. */
const SHOWN = 'http://trainer.quarry-app.localhost';
const APP = 'quarry-app://trainer';

/** The bundled page that trains, in a real Chromium, with the headers that the app gives it. */
export async function trainerInChromium(browser: Browser, folder: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const strays: string[] = [];
  const serve = serveTrainer(folder);
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (!url.startsWith(`${SHOWN}/`)) {
      strays.push(url);
      return await route.abort();
    }
    const response = await serve(new Request(url.replace(SHOWN, APP)));
    const body = Buffer.from(await response.arrayBuffer());
    await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
  });
  let hear: (message: unknown) => void = () => undefined;
  let end: () => void = () => undefined;
  const connected = Promise.withResolvers<void>();
  await page.exposeFunction('toProcess', (text: string) => (text === '' ? connected.resolve() : hear(fromText(text))));
  await page.addInitScript({
    content: `${toText}\n${fromText}\n
      addEventListener('message', ({ data, ports: [port] }) => {
        if (data !== 'quarry:trainer') return;
        port.onmessage = ({ data }) => toProcess(toText(data));
        globalThis.fromProcess = (text) => port.postMessage(fromText(text));
        toProcess('');
      });`,
  });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('close', () => end());
  await page.goto(`${SHOWN}/`);
  await connected.promise;
  const port: Port = {
    send: (message) => void page.evaluate(`fromProcess(${JSON.stringify(toText(message))})`).catch(() => end()),
    onMessage(listener) {
      hear = listener;
    },
    onClose(listener) {
      end = listener;
    },
  };
  const close = async () => {
    await context.unrouteAll({ behavior: 'ignoreErrors' }); // else a request that is on its way fails where nobody waits
    await context.close();
  };
  return { page, port, strays, errors, close };
}

/** Builds the page. @param folder where to */
export async function buildTrainerPage(folder: string): Promise<string> {
  const out = join(folder, 'trainer');
  await build(trainerPage(resolve(import.meta.dirname, '../../..'), out));
  return out;
}

export async function launchWithSoftwareWebGpu(executablePath: string): Promise<Browser> {
  return await launchChromium(executablePath, SOFTWARE_WEBGPU);
}
