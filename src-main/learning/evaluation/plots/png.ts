import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { FONT } from './svg.ts';

/** 900 points at 150 dots an inch (B6), a point being 1/96 inch. */
const SCALE = 150 / 96;

const packaged = async (path: string) => await readFile(fileURLToPath(import.meta.resolve(path)));

/** Loaded once: WebAssembly cannot be initialised twice. */
let ready: Promise<Buffer> | undefined;

async function load(): Promise<Buffer> {
  await initWasm(await packaged('@resvg/resvg-wasm/index_bg.wasm'));
  return await packaged('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
}

/** An SVG that we have drawn, as PNG. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  ready ??= load();
  const font = { fontBuffers: [await ready], defaultFontFamily: FONT, sansSerifFamily: FONT };
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: SCALE }, font });
  try {
    const rendered = image.render();
    const png = rendered.asPng();
    rendered.free();
    return png;
  } finally {
    image.free();
  }
}
