import { pino } from 'pino';
import { EngineSlot } from '../../src-main/inference/host/engine-slot.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { RemoteBackend } from '../../src-main/inference/remote/remote-backend.ts';
import { backendContract } from '../support/backend-contract.ts';
import { SLOW, tinyEngine } from '../support/engine.ts';
import { ScriptedBackend } from '../support/scripted-backend.ts';
import {
  ScriptedServer,
  sendEvent,
  sendEvents,
  sendJson,
  startEvents,
} from '../unit/inference/remote/remote-server.ts';

backendContract('the engine of this machine', {
  make: () => ({ backend: slowEngine() }),
  abilities: ['score', 'embed', 'countTokens', 'tokenize', 'engine'],
});

backendContract('a place with an engine in it', {
  make: () => ({ backend: new EngineSlot(async () => slowEngine()) }),
  abilities: [], // they are asked of the engine itself
});

backendContract('the double of the tests', {
  make: () => ({ backend: scripted() }),
  abilities: ['countTokens'],
});

backendContract('a remote server', {
  make: async () => {
    const server = new ScriptedServer();
    script(server);
    await server.open();
    const backend = new RemoteBackend({ baseUrl: server.url, log: pino({ level: 'silent' }) });
    return { backend, end: () => server.close() };
  },
  abilities: ['score', 'embed', 'countTokens'],
});

function slowEngine(): LocalBackend {
  const engine = tinyEngine({ parallel: 2 });
  engine.setSpeed(SLOW);
  return engine;
}

function scripted(): ScriptedBackend {
  const tokens = Array.from({ length: 1_000 }, (_, index) => `word${index} `);
  return new ScriptedBackend({ tokens, tokenMs: 2, parallel: 4, open: false });
}

/** A server as vLLM is one: its answers are so many words, one every few milliseconds. */
function script({ replies }: ScriptedServer): void {
  replies.set('/v1/models', (response) => sendJson(response, { data: [{ id: 'one', max_model_len: 4096 }] }));
  replies.set('/tokenize', (response) => sendJson(response, { count: 5 }));
  replies.set('/v1/embeddings', (response, { input }) => {
    const data = (input as string[]).map((text, index) => ({ index, embedding: [text.length, 1] }));
    sendJson(response, { data, usage: { prompt_tokens: 4 } });
  });
  replies.set('/v1/completions', (response, { prompt, echo, max_tokens: most }) => {
    if (echo) {
      const tokens = String(prompt).match(/.{1,4}/g) ?? [];
      const logprobs = { tokens, token_logprobs: tokens.map((_, at) => -at), top_logprobs: null };
      sendJson(response, { choices: [{ logprobs }] });
      return;
    }
    const piece = (index: number) => ({ choices: [{ text: `word${index} `, finish_reason: null }] });
    const count = Number(most);
    if (count < 100) {
      const pieces = Array.from({ length: count }, (_, index) => piece(index));
      const usage = { prompt_tokens: 3, completion_tokens: count };
      sendEvents(response, [...pieces, { choices: [{ text: '', finish_reason: 'length' }], usage }, '[DONE]']);
      return;
    }
    startEvents(response);
    let sent = 0;
    const timer = setInterval(() => sendEvent(response, piece(sent++)), 5);
    response.once('close', () => clearInterval(timer));
  });
}
