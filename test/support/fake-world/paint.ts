import type { RawPicture } from '../../../src-main/clips/media/media.ts';
import type { Background, Colour, Scene, Shape } from './scene.ts';

type Rgb = readonly [red: number, green: number, blue: number];

const COLOUR: Record<Colour, Rgb> = {
  red: [225, 30, 30],
  green: [30, 190, 50],
  blue: [40, 70, 235],
  yellow: [240, 220, 40],
  white: [250, 250, 250],
  magenta: [225, 40, 210],
};

/** Whether a point belongs to the shape; both −1 to 1 from its middle. */
const INSIDE: Record<Shape, (x: number, y: number) => boolean> = {
  circle: (x, y) => x * x + y * y <= 1,
  square: (x, y) => Math.max(Math.abs(x), Math.abs(y)) <= 0.8,
  triangle: (x, y) => y <= 0.6 && y >= Math.abs(x) * 1.75 - 0.95,
  cross: (x, y) => Math.min(Math.abs(x), Math.abs(y)) <= 0.28 && Math.max(Math.abs(x), Math.abs(y)) <= 0.95,
  star: (x, y) => isInStar(x, y),
  bars: (x, y) => Math.abs(y) <= 0.9 && Math.abs(x) <= 0.95 && Math.floor((x + 1) * 4) % 2 === 0,
  screen: (x, y) => isOnScreen(x, y),
};

/** How bright it is behind the shape, 0 to 255. @param x share of the width @param y share of the height */
const BEHIND: Record<Background, (x: number, y: number) => number> = {
  black: () => 8,
  grey: () => 120,
  checkered: (x, y) => ((Math.floor(x * 8) + Math.floor(y * 8)) % 2 === 0 ? 60 : 180),
  gradient: (x) => 15 + 210 * x,
};

/** A scene at one moment. @param seconds since it began */
export function paintScene(scene: Scene, seconds: number, size: { width: number; height: number }): RawPicture {
  const picture = { ...size, rgb: behind(scene, size) };
  paintShape(scene, seconds, picture);
  return picture;
}

/** The same at every moment, so a film needs it only once. */
export function behind({ background, brightness }: Scene, { width, height }: { width: number; height: number }) {
  const rgb = new Uint8Array(width * height * 3);
  const grey = BEHIND[background];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      rgb.fill(brightness * grey(x / width, y / height), at, at + 3);
    }
  return rgb;
}

/** Paints it into a picture that has what is behind it. */
export function paintShape(scene: Scene, seconds: number, { width, height, rgb }: RawPicture): void {
  const radius = scene.radius * Math.min(width, height);
  const middleX = bounced(scene.place[0] + scene.speed[0] * seconds) * width;
  const middleY = bounced(scene.place[1] + scene.speed[1] * seconds) * height;
  const isUpright = scene.shape === 'screen' || scene.shape === 'bars';
  const angle = isUpright ? 0 : scene.angle + scene.spin * seconds;
  const [cos, sin] = [Math.cos(angle) / radius, Math.sin(angle) / radius];
  const colour = COLOUR[scene.colour].map((part) => part * scene.brightness);
  const isInside = INSIDE[scene.shape];
  const reach = radius * Math.SQRT2;
  for (let y = Math.max(0, Math.floor(middleY - reach)); y < Math.min(height, middleY + reach); y++)
    for (let x = Math.max(0, Math.floor(middleX - reach)); x < Math.min(width, middleX + reach); x++) {
      const [right, down] = [x + 0.5 - middleX, y + 0.5 - middleY];
      if (isInside(right * cos + down * sin, down * cos - right * sin)) rgb.set(colour, (y * width + x) * 3);
    }
}

/** Between 0.2 and 0.8, back from the edges. */
function bounced(place: number): number {
  const way = (((place - 0.2) % 1.2) + 1.2) % 1.2;
  return 0.2 + (way <= 0.6 ? way : 1.2 - way);
}

/** Five points, the inner corners at 0.4 of the outer ones. */
function isInStar(x: number, y: number): boolean {
  const step = (2 * Math.PI) / 5;
  const turn = Math.abs(((((Math.atan2(x, -y) + step / 2) % step) + step) % step) - step / 2);
  const far = Math.hypot(x, y);
  // Beyond the line from an outer corner (1, 0) to the inner one (0.4 at half a step).
  const [innerX, innerY] = [0.4 * Math.cos(step / 2), 0.4 * Math.sin(step / 2)];
  const [pointX, pointY] = [far * Math.cos(turn), far * Math.sin(turn)];
  return innerY * (pointX - 1) + (1 - innerX) * pointY <= 0;
}

/** A window: its frame, a bar of its title, and lines of words. */
function isOnScreen(x: number, y: number): boolean {
  if (Math.abs(x) > 1 || Math.abs(y) > 0.8) return false;
  if (Math.abs(x) > 0.93 || Math.abs(y) > 0.73 || y < -0.52) return true;
  const line = Math.floor((y + 0.45) / 0.09);
  if (line < 0 || line % 2 === 1 || x < -0.85) return false;
  const end = 0.2 + 0.65 * ((line * 37) % 10) * 0.1;
  const isSpace = Math.floor((x + 1) * 23 + line * 5) % 6 === 0;
  return x < end && !isSpace;
}
