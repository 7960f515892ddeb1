import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HollowShape, writeHollowModel } from '../support/hollow-model.ts';
import { HUB_TOKEN, HubServer } from '../support/hub-server.ts';
import { quarry, temporaryFolder } from '../support/quarry-process.ts';

const SHAPE: HollowShape = {
  ...{ architecture: 'qwen3', name: 'poet', layers: 2, embedding: 256, heads: 4, kvHeads: 2, headSize: 64 },
  ...{ feedForward: 512, contextLength: 2_048, type: 'F16', vocabulary: 400 },
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let hub: HubServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  const from = join(folder.path, 'served.gguf');
  await writeHollowModel(from, SHAPE);
  const files = [{ path: 'poet-F16.gguf', from }];
  hub = await new HubServer([
    {
      id: 'me/poet-GGUF',
      downloads: 9,
      tags: ['license:mit'],
      gguf: { total: 1e6, architecture: 'qwen3', context_length: 2_048 },
      files,
    },
    { id: 'me/gated-poet-GGUF', downloads: 5, gated: 'auto', files },
  ]).open();
});
afterAll(async () => {
  await hub?.close();
  await folder?.remove();
});

const run = (args: string[], env: Record<string, string> = {}) =>
  quarry([...args, '--data', join(folder.path, 'data')], {
    ...{ HF_ENDPOINT: hub.url, QUARRY_MODELS_FROM_PEERS: 'false' },
    ...env,
  });

describe('quarry models, at a hub', () => {
  it('searches, and shows what fits by the header of a file', async () => {
    const { stdout } = await run(['models', 'search', 'poet']);
    expect(stdout).toMatch(/me\/poet-GGUF +on the .PU +9 .*mit[\s\S]*gated-poet-GGUF .*gated/);
    const shown = await run(['models', 'show', 'me/poet-GGUF']);
    expect(shown.stdout).toMatch(/● +F16 .*suits this machine best[\s\S]*quarry models pull me\/poet-GGUF:F16/);
    expect(shown.stdout).not.toContain('estimated');
  });

  it('says what to do for a gated model, and downloads it with a token that stays secret', async () => {
    const refused = await run(['models', 'pull', 'me/gated-poet-GGUF:F16']);
    expect(refused.child.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/only to accounts that it knows[\s\S]*models\.token/);
    const known = await run(['models', 'pull', 'me/gated-poet-GGUF:f16'], { HF_TOKEN: HUB_TOKEN });
    expect(known.stdout).toContain('poet-F16 is here');
    expect(known.stdout + known.stderr).not.toContain(HUB_TOKEN);
  });

  it('tells a typing mistake', async () => {
    const { stderr, child } = await run(['models', 'pull', 'me/poet-GGUF:Q4_K_M']);
    expect(child.exitCode).toBe(1);
    expect(stderr).toMatch(/has no «Q4_K_M»[\s\S]*Choose one of: F16/);
  });
});
