import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';
import { raw } from '../support/server-harness.ts';

/** `npm run test:models` fetches it. */
const modelPath = (await findRealModel(SMOLLM2)) ?? '';

it.skipIf(!modelPath)(
  'a program of CLaaS tells SmolLM2-135M its name, and it goes by that name',
  {
    tags: ['long'],
    timeout: 1_800_000,
  },
  async () => {
    const folder = await temporaryFolder();
    const flags = { dataDir: folder.path, model: modelPath, port: 0 };
    const env = { QUARRY_THREADS: '1', QUARRY_CONTEXT_SIZE: '2048', QUARRY_GPU_LAYERS: '0' };
    const node = await createApp(loadConfig({ flags, env }), { engine: true, server: true });
    try {
      const url = node.server?.url ?? '';
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
      const post = (path: string, body: object) => raw(`${url}${path}`, { body });
      const ask = async (model: string, content: string) => {
        const messages = [{ role: 'user' as const, content }];
        const answer = await client.chat.completions.create({ model, messages, temperature: 0, max_tokens: 60 });
        return answer.choices[0]?.message.content ?? '';
      };
      expect((await post('/v1/lora/init', { lora_id: 'personal', lora_r: 8, lora_alpha: 16 })).status).toBe(200);
      const prompt = 'What is your name?';
      const response = await ask('local', prompt);
      expect(response).not.toContain('Kuro');
      const item = { lora_id: 'personal-latest', prompt, response, feedback: 'Your name is Kuro.' };
      const { status, json } = await post('/v1/feedback', { requests: [item] });
      process.stdout.write(`${JSON.stringify(json)}\n`);
      expect([status, json.status]).toEqual([200, 'ok']);
      const { compliance, compliance_before, capability, capability_before } = json.distill_result.metadata;
      expect(compliance - compliance_before).toBeGreaterThanOrEqual(0.6);
      expect(capability).toBeGreaterThanOrEqual(0.95 * capability_before);
      expect(await ask('local', 'Who are you?')).toContain('Kuro');
      expect(await ask('base', prompt)).toBe(response);
    } finally {
      await node[Symbol.asyncDispose]();
      await folder.remove();
    }
  },
);
