import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivitySecond } from '../../../src-preload/contract/focus.ts';
import { sha256 } from '../../base/sha256.ts';
import { identityFromSeed } from '../../mesh/transport/identity.ts';
import { scoreByRules } from '../../subnets/omega/focus/score-by-rules.ts';
import type { OfferedVideo } from '../../subnets/omega/market/client/ports.ts';
import { scoreCardBytes } from '../../subnets/omega/market/signing.ts';

const SECONDS = 120;
const BYTES = 300_000;

/** A recording of nobody: a track of somebody who types and clicks, and bytes in the place of pictures. The rules that score it are the real ones. */
export async function madeUpVideo(
  folder: string,
  title: string,
): Promise<OfferedVideo & { recording: string; score: number }> {
  const recording = randomUUID();
  const path = join(folder, `${recording}.webm`);
  const file = randomBytes(BYTES);
  await writeFile(path, file);
  const startedAt = Date.now() - SECONDS * 1_000;
  const seconds = Array.from({ length: SECONDS }, (_, index) => secondOf(index, startedAt));
  const facts = { activeMs: SECONDS * 1_000, startedAt, seconds, chain: { chunks: SECONDS, brokenAt: null } };
  const { version, score } = scoreByRules(facts);
  const node = identityFromSeed(randomBytes(32));
  const hash = sha256(file).toString('hex');
  const chain = {
    chunks: SECONDS,
    startedAt,
    node: node.id,
    link: hash,
    signature: node.sign(Buffer.from(hash, 'hex')),
  };
  const card = { version, score, at: Date.now(), node: node.id };
  const signature = node.sign(scoreCardBytes({ sha256: hash, scoreCard: card, chain }));
  const about = {
    title,
    description: '',
    kind: 'user' as const,
    sha256: hash,
    bytes: BYTES,
    durationMs: SECONDS * 1_000,
  };
  return { recording, path, score, about: { ...about, scoreCard: { ...card, signature }, chain } };
}

/** Some seconds of typing, a click that changes the screen, a moment of reading. */
function secondOf(index: number, startedAt: number): ActivitySecond {
  const isClick = index % 17 === 0;
  const isReading = index % 11 > 8;
  const picture = sha256(`screen ${Math.floor(index / 17)} ${index % 3}`)
    .toString('hex')
    .slice(0, 16);
  return {
    ...{ at: startedAt + (index + 1) * 1_000, activeMs: (index + 1) * 1_000, picture },
    motion: isClick ? 1_200 : isReading ? 0 : 4 + (index % 13),
    ...{ keys: isReading ? 0 : 1 + (index % 6), clicks: isClick ? 1 : 0, moves: isClick ? 8 : 0, idleMs: 300 },
  };
}
