/** Colours of shares from 0 to 1, on a light and on a dark page: from sand to teal. Each step further is as much lighter or darker, so that no eye needs the hues. */
const STOPS = {
  light: ['#f6e6d0', '#86c3b4', '#0b5f58'],
  dark: ['#3d2c1e', '#1f6a61', '#62d3c1'],
} as const;
export type Scheme = keyof typeof STOPS;

/** Inks, of which the one is taken that can be read better: on no colour is that less than 4.5 : 1. */
const INKS = ['#000000', '#ffffff'] as const;

type Triple = readonly [number, number, number];

/** Hex. */
export function heatColour(share: number, scheme: Scheme): string {
  const [low, middle, high] = STOPS[scheme];
  const at = 2 * Math.max(0, Math.min(1, share));
  return at < 1 ? mixed(low, middle, at) : mixed(middle, high, at - 1);
}

/** Hex of what is written on it. */
export function heatInk(share: number, scheme: Scheme): string {
  const ground = heatColour(share, scheme);
  return contrast(INKS[0], ground) >= contrast(INKS[1], ground) ? INKS[0] : INKS[1];
}

/** As WCAG has it: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

export function luminance(hex: string): number {
  const [red, green, blue] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Between two colours as the eye sees them (OKLab). */
function mixed(one: string, other: string, share: number): string {
  const [from, to] = [oklab(one), oklab(other)];
  return hexOf(from.map((value, at) => value + share * ((to[at] ?? 0) - value)) as unknown as Triple);
}

function linear(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function oklab(hex: string): Triple {
  const [red, green, blue] = linear(hex);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function hexOf([lightness, a, b]: Triple): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${parts.map(written).join('')}`;
}

function written(value: number): string {
  const bounded = Math.max(0, Math.min(1, value));
  const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
  return Math.round(255 * encoded)
    .toString(16)
    .padStart(2, '0');
}
