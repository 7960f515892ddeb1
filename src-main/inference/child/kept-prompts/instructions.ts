import type { Token } from 'node-llama-cpp';
import type { ChatMessage, GenerateInput, Tool } from '../../../../src-preload/contract/request.ts';
import { Recent } from '../../../base/recent.ts';
import { sha256 } from '../../../base/sha256.ts';

/** Instructions with fewer tokens are read as quickly as they are found on the disk. */
export const LEAST_TOKENS = 512;
/** What a question begins with may become one token with the end of what stands before it: so many are read again. */
const SEAM = 8;
/** Two questions that have no beginning in common. */
const QUESTIONS = ['Why?', '7 × 6 = '];
/** Instructions that are remembered, and for how long: one program or two ask at a time. */
const REMEMBERED = 16;
const HOUR_MS = 3_600_000;

/** What turns conversations into tokens. */
export interface TokenReader {
  read(input: GenerateInput, way: { tools: readonly Tool[] }): Token[];
}

/** Finds the instructions in a prompt: what its system messages and tools become, whatever is asked after them. */
export class Instructions {
  readonly #prompts: TokenReader;
  /** By what they were made of; empty where there is too little to be worth keeping. */
  readonly #known = new Recent<readonly Token[]>(HOUR_MS, Date.now, REMEMBERED);

  constructor(prompts: TokenReader) {
    this.#prompts = prompts;
  }

  /** @param prompt what the input was read as @returns the tokens that it begins with; undefined where they are too few, or are none */
  of(prompt: readonly Token[], input: GenerateInput, tools: readonly Tool[]): readonly Token[] | undefined {
    if (prompt.length < LEAST_TOKENS + SEAM || !('messages' in input)) return undefined;
    const systems = leadingSystems(input.messages);
    if (systems.length + tools.length === 0) return undefined;
    const key = sha256(JSON.stringify([systems, tools])).toString('hex');
    const known = this.#known.get(key);
    // A template may write today's date into them.
    const found = known && isPrefix(known, prompt) ? known : this.#known.set(key, this.#find(systems, tools));
    return found.length > 0 && isPrefix(found, prompt) ? found : undefined;
  }

  #find(systems: readonly ChatMessage[], tools: readonly Tool[]): readonly Token[] {
    try {
      const [a = [], b = []] = QUESTIONS.map((content) =>
        this.#prompts.read({ messages: [...systems, { role: 'user', content }] }, { tools }),
      );
      const length = a.findIndex((token, at) => token !== b[at]) - SEAM;
      return length < LEAST_TOKENS ? [] : a.slice(0, length);
    } catch {
      return []; // a template that wants a conversation to be another way
    }
  }
}

function leadingSystems(messages: readonly ChatMessage[]): ChatMessage[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  return messages.slice(0, end < 0 ? messages.length : end);
}

function isPrefix(tokens: readonly Token[], prompt: readonly Token[]): boolean {
  return tokens.every((token, at) => token === prompt[at]);
}
