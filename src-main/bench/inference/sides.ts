import { performance } from 'node:perf_hooks';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { ChatMessage, GenerateRequest } from '../../../src-preload/contract/request.ts';
import type { LocalBackend } from '../../inference/host/local-backend.ts';
import { perSecond } from '../row.ts';
import type { LlamaServer } from './llama-server.ts';
import type { RawLoopProcess } from './raw-loop-process.ts';

/** Answers prompts that have nothing in common, all at once, greedily. @returns tokens generated a second, prompts included in the time */
export type Complete = (prompts: readonly string[], tokens: number) => Promise<number>;

/** One turn of a conversation, greedy; what was read before may be reused. */
export type Chat = (messages: readonly ChatMessage[], tokens: number) => Promise<{ text: string; tokens: number }>;

const GREEDY = { temperature: 0, repeatPenalty: 1 };

export function engineSide(engine: LocalBackend): { complete: Complete; chat: Chat } {
  const ask = async (request: GenerateRequest): Promise<GenerateResult> => {
    for await (const event of engine.generate(request)) {
      if (event.type === 'done') return event.result;
    }
    throw new Error('The engine ended without a result.');
  };
  return {
    complete: (prompts, maxTokens) =>
      rate(prompts, async (prompt) => {
        return (await ask({ input: { prompt }, maxTokens, ...GREEDY })).completionTokens;
      }),
    chat: async (messages, maxTokens) => {
      const { text, completionTokens } = await ask({ input: { messages: [...messages] }, maxTokens, ...GREEDY });
      return { text, tokens: completionTokens };
    },
  };
}

export function serverSide(server: LlamaServer): { complete: Complete; chat: Chat } {
  return {
    complete: (prompts, tokens) => rate(prompts, (prompt) => server.complete(prompt, tokens)),
    chat: (messages, tokens) => server.chat(messages, tokens),
  };
}

/** @param engine the same model: it makes tokens of prompts before anything is measured */
export function rawSide(raw: RawLoopProcess, engine: LocalBackend): { complete: Complete } {
  return {
    complete: async (prompts, tokens) => {
      const read = await Promise.all(prompts.map((prompt) => engine.tokenize({ prompt })));
      const ms = await raw.complete(read, tokens);
      return (prompts.length * tokens * 1_000) / ms;
    },
  };
}

async function rate(prompts: readonly string[], tokensOf: (prompt: string) => Promise<number>): Promise<number> {
  const began = performance.now();
  const counts = await Promise.all(prompts.map(tokensOf));
  return perSecond(
    counts.reduce((sum, count) => sum + count, 0),
    began,
  );
}
