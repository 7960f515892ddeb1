/**
 * Draws the app's icons into resources/icons: `node scripts/draw-icons.ts`. The mark is a cut stone, a hexagon with lit faces
 * and a nugget; in the tray its colours say how the node is. They are drawn by a Chromium, which has to be there.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';

const FOLDER = resolve(import.meta.dirname, '../resources/icons');
const CHROMIUM = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium';

interface Colours {
  stone: string;
  top: string;
  side: string;
  nugget: string;
}

const BRAND: Colours = { stone: '#0f766e', top: '#2dd4bf', side: '#115e59', nugget: '#fbbf24' };
const GREY: Colours = { stone: '#6b7280', top: '#9ca3af', side: '#4b5563', nugget: '#d1d5db' };

/** The tray's states; a second sign beside the colour, for those who do not see it. Its edges lie on whole pixels at 16 px. */
const STATES: Record<string, { colours: Colours; sign: string }> = {
  mining: { colours: BRAND, sign: '' },
  paused: { colours: { ...GREY, nugget: '#fbbf24' }, sign: '<path d="M36 32h8v28h-8zM52 32h8v28h-8z"/>' },
  stopped: { colours: GREY, sign: '' },
  trouble: { colours: { ...GREY, nugget: '#f87171' }, sign: '<path d="M44 24h8v20h-8zM44 52h8v8h-8z"/>' },
};

const OUTLINE = 'M32 3 57.1 17.5v29L32 61 6.9 46.5v-29z';
const TOP = 'M32 3 57.1 17.5 32 32 6.9 17.5z';
const SIDE = 'M32 32 57.1 17.5v29L32 61z';
const NUGGET = 'M32 18l9 5.2v10.4L32 38.8l-9-5.2V23.2z';

function stone({ stone, top, side, nugget }: Colours): string {
  const faces = [
    [OUTLINE, stone],
    [TOP, top],
    [SIDE, side],
    [NUGGET, nugget],
  ];
  return faces.map(([path, colour]) => `<path d="${path}" fill="${colour}"/>`).join('');
}

/** White with a dark edge: it has to be seen on any taskbar. */
function signed(sign: string): string {
  return sign && `<g fill="#fff" stroke="#111827" stroke-width="8" paint-order="stroke">${sign}</g>`;
}

/** macOS colours it itself: only what is opaque counts. Full while mining, an outline otherwise. */
function template(state: string, sign: string): string {
  const body =
    state === 'mining'
      ? `<path d="${OUTLINE}${NUGGET}" fill-rule="evenodd"/>`
      : `<path d="${OUTLINE}" fill="none" stroke="#000" stroke-width="6" transform="translate(3.2 3.2) scale(.9)"/>`;
  return `${body}<g transform="translate(-16 -12)">${sign}</g>`;
}

const svg = (content: string, margin = 0) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${64 + 2 * margin} ${64 + 2 * margin}">${content}</svg>`;

async function draw(page: Page, name: string, image: string, size: number): Promise<void> {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${image}`);
  writeFileSync(join(FOLDER, name), await page.screenshot({ omitBackground: true }));
}

mkdirSync(join(FOLDER, 'tray'), { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
await draw(page, 'icon.png', svg(stone(BRAND), 4), 1024);
for (const [state, { colours, sign }] of Object.entries(STATES)) {
  const looks = svg(stone(colours) + signed(sign));
  const plain = svg(template(state, sign));
  for (const [suffix, size] of [['', 16] as const, ['@2x', 32] as const]) {
    await draw(page, `tray/${state}${suffix}.png`, looks, size);
    await draw(page, `tray/${state}Template${suffix}.png`, plain, size);
  }
}
await browser.close();
