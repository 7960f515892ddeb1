import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { ownToken, temporaryFolder } from '../support/quarry-process.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';
import { raw } from '../support/server-harness.ts';

/** `npm run test:models` fetches it. */
const modelPath = (await findRealModel(SMOLLM2)) ?? '';

/** It computes for minutes, and what a model learns is partly chance: `npm run test:learning`. */
it.skipIf(!modelPath || !process.env.QUARRY_TEST_LEARNING)(
  'a program of CLaaS tells SmolLM2-135M to be brief, and from then on it is',
  {
    timeout: 1_800_000,
  },
  async () => {
    const folder = await temporaryFolder();
    const flags = { dataDir: folder.path, model: modelPath, port: 0 };
    const env = { QUARRY_THREADS: '1', QUARRY_CONTEXT_SIZE: '2048', QUARRY_GPU_LAYERS: '0' };
    const node = await createApp(loadConfig({ flags, env }), { engine: true, server: true });
    try {
      const url = node.server?.url ?? '';
      const token = await ownToken(folder.path);
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });
      const headers = { authorization: `Bearer ${token}` };
      const post = (path: string, body: object) => raw(`${url}${path}`, { body, headers });
      const ask = async (model: string, content: string) => {
        const messages = [{ role: 'user' as const, content }];
        const answer = await client.chat.completions.create({ model, messages, temperature: 0, max_tokens: 200 });
        return answer.choices[0]?.message.content ?? '';
      };
      expect((await post('/v1/lora/init', { lora_id: 'personal', lora_r: 8, lora_alpha: 16 })).status).toBe(200);
      const prompt = 'Why is the sky blue?';
      const response = await ask('local', prompt);
      const item = { lora_id: 'personal-latest', prompt, response, feedback: 'Answer in one or two short sentences.' };
      const { status, json } = await post('/v1/feedback', { requests: [item] });
      expect([status, json.status]).toEqual([200, 'ok']);
      const { compliance, compliance_before, capability, capability_before } = json.distill_result.metadata;
      expect(compliance - compliance_before).toBeGreaterThanOrEqual(0.6);
      expect(capability).toBeGreaterThanOrEqual(0.95 * capability_before);
      const brief = await ask('local', prompt);
      expect(brief.length).toBeLessThan(response.length);
      expect((await ask('base', prompt)).length).toBeGreaterThan(brief.length);
    } finally {
      await node[Symbol.asyncDispose]();
      await folder.remove();
    }
  },
);
