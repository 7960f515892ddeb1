import type { Closed } from '../competition/rules/tracks.ts';
import { asked, CARD_WALLS, contained, IMAGE } from './gpu-container.ts';

/** What is needed to judge on a graphics card: the id of the image, or why it cannot be done here. */
export type Looked = { image: string } | { closed: Closed };

/** For the card: a container begins, and PyTorch is loaded in it. */
const CARD_SECONDS = 45;
/** What PyTorch itself sees is what counts. */
const SEES_CARD = 'import sys, torch\nsys.exit(0 if torch.cuda.is_available() else 3)';

/** Looks whether programs for graphics cards can be judged here, in about a minute and a half at the most. Nothing is fetched. @throws the signal’s reason */
export async function lookForCard(signal?: AbortSignal): Promise<Looked> {
  const engine = await asked(['ps', '--quiet'], signal);
  if (engine.code !== 0) return { closed: 'no-engine' };
  const found = await asked(['image', 'inspect', '--format', '{{.Id}}', IMAGE], signal);
  if (found.code !== 0) return { closed: 'no-image' };
  const image = found.stdout.trim();
  const command = ['python3', '-P', '-s', '-c', SEES_CARD];
  const card = await contained({ image, walls: CARD_WALLS, command, seconds: CARD_SECONDS, signal });
  return card.code === 0 ? { image } : { closed: 'no-card' };
}
