import { z } from 'zod';
import {
  MAX_ANSWER_TOKENS,
  MAX_ASKED_TEMPERATURE,
  MAX_MESSAGES,
  MAX_MODEL_NAME_CHARS,
  MAX_SEED,
} from '../../../src-preload/contract/limits.ts';
import { textSchema } from '../../../src-preload/contract/request.ts';
import { defineSynapse } from './synapse.ts';

const ROLES = ['system', 'user', 'assistant'] as const;

/** What the answer says of itself; whoever asks leaves it as it is. */
const answered = {
  completion: z.string().default(''),
  /** `stop`, or `length` where it had to end. */
  finish_reason: z.string().default(''),
  prompt_tokens: z.int().default(0),
  completion_tokens: z.int().default(0),
};

const asked = {
  /** Who said each of the messages. */
  roles: z.array(z.enum(ROLES)).min(1).max(MAX_MESSAGES),
  messages: z.array(textSchema).min(1).max(MAX_MESSAGES),
  /** The model that is wanted. Empty: whichever is there. In an answer: the one that gave it. */
  model: z.string().max(MAX_MODEL_NAME_CHARS).default(''),
  /** 0: as many as the axon gives by itself. */
  max_tokens: z.int().min(0).max(MAX_ANSWER_TOKENS).default(0),
  temperature: z.number().min(0).max(MAX_ASKED_TEMPERATURE).nullable().default(null),
  top_p: z.number().min(0).max(1).nullable().default(null),
  seed: z.int().min(0).max(MAX_SEED).nullable().default(null),
};

// Lists of text alone: Python and JavaScript write nothing else in the same way for sure.
const hashed = ['roles', 'messages'] as const;

/** A conversation, and the answer to it in one piece. Roles and messages are as in the SDK's own example of a text prompt. */
export const PROMPTING = defineSynapse({ name: 'Prompting', fields: { ...asked, ...answered }, hashed });

/** The same, answered as UTF-8 text as it is written. */
export const STREAM_PROMPTING = defineSynapse({ name: 'StreamPrompting', fields: asked, hashed, streams: true });

type Fields<Type> = Type extends { fields: z.ZodType<infer Read> } ? Read : never;
/** What both of them ask. */
export type Asked = Fields<typeof STREAM_PROMPTING>;
