import type { TokenLogprobs, TokenProbability } from '../../inference/backend.ts';

/** Log-probabilities as /chat/completions has them. */
export function chatLogprobs(tokens: readonly TokenLogprobs[]): { content: object[]; refusal: null } {
  return {
    content: tokens.map((token) => ({ ...chatEntry(token), top_logprobs: token.top.map(chatEntry) })),
    refusal: null,
  };
}

function chatEntry({ token, bytes, logprob }: TokenProbability): object {
  return { token, bytes, logprob };
}

/** Log-probabilities as /completions has them: parallel lists. Keeps count of where the next token begins in the text. */
export class ListedLogprobs {
  readonly #decoder = new TextDecoder();
  /** In code points, as OpenAI counts them. */
  #offset = 0;

  list(tokens: readonly TokenLogprobs[]): object {
    return {
      tokens: tokens.map(tokenText),
      token_logprobs: tokens.map(({ logprob }) => (Number.isNaN(logprob) ? null : logprob)),
      top_logprobs: tokens.map(({ top }) => Object.fromEntries(top.map((each) => [tokenText(each), each.logprob]))),
      text_offset: tokens.map((token) => this.#advance(token)),
    };
  }

  #advance({ bytes }: TokenLogprobs): number {
    const start = this.#offset;
    this.#offset += [...this.#decoder.decode(Uint8Array.from(bytes), { stream: true })].length;
    return start;
  }
}

/** A token that holds part of a character is written as its bytes: `bytes:\xf0\x9f`. */
function tokenText({ token, bytes }: TokenProbability): string {
  if (!token.includes('\uFFFD')) return token;
  return `bytes:${bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`;
}
