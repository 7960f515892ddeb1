import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { boundedArray } from './bounded.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import { errorSchema } from './error-schema.ts';
import { askEventSchema, paidSchema, settableSchema } from './inference.ts';
import {
  MAX_FILE_NAME_CHARS,
  MAX_FILE_PIECE_CHARS,
  MAX_FILES,
  MAX_FILES_CHARS,
  MAX_PRESET_CHARS,
  MAX_SYSTEM_CHARS,
  MAX_TITLE_CHARS,
  MAX_TURN_CHARS,
} from './limits.ts';

const id = z.string().regex(/^[0-9a-f-]{36}$/);
const title = z.string().trim().min(1).max(MAX_TITLE_CHARS);

/** How answers of a conversation are made. */
export const askOptionsSchema = z.object({
  /** `local` is this node's engine, `mesh` another node's. */
  target: z.enum(['local', 'mesh']).default('local'),
  model: z.string().max(4_096).optional(),
  system: z.string().max(MAX_SYSTEM_CHARS).optional(),
  /** What the model may use of what this node brings. Default: nothing. */
  tools: boundedArray(z.enum(BUILT_IN_TOOLS), BUILT_IN_TOOLS.length).optional(),
  /** Nothing of it is kept so that the model can learn from it, nor its instructions on the disk as the model has read them. Default: both are, of this node’s own model. */
  private: z.boolean().optional(),
  ...settableSchema.shape,
});
export type AskOptions = z.infer<typeof askOptionsSchema>;

/** How answers are made, under a name: who gives them is no part of it, nor whether they are kept. */
export const presetSchema = z.object({
  name: z.string().trim().min(1).max(MAX_PRESET_CHARS),
  options: askOptionsSchema.omit({ target: true, model: true, private: true }),
});
export type Preset = z.infer<typeof presetSchema>;

export const conversationSchema = z.object({
  id,
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  options: askOptionsSchema,
});
export type Conversation = z.infer<typeof conversationSchema>;

const fileName = z.string().trim().min(1).max(MAX_FILE_NAME_CHARS);

/** A text file that goes with a question: the model reads it before that. */
export const attachedFileSchema = z.object({
  name: fileName,
  text: z.string().max(MAX_FILES_CHARS),
});
export type AttachedFile = z.infer<typeof attachedFileSchema>;

const filesSchema = boundedArray(attachedFileSchema, MAX_FILES).refine(
  (files) => files.reduce((sum, { text }) => sum + text.length, 0) <= MAX_FILES_CHARS,
  `must have at most ${MAX_FILES_CHARS} characters in all`,
);

/** A tool that was used for an answer, or is being used. */
export const toolUseSchema = z.object({
  /** Counts up from 0 in an answer. */
  number: z.int(),
  /** Uses of one round were asked for together, and the model went on with all their results. From 1. */
  round: z.int(),
  tool: z.string(),
  /** As JSON, written by the model. */
  arguments: z.string(),
  /** What came of it; null while that is not known, and where the answer ended before. */
  result: z.string().nullable(),
  /** The result says why there is none. */
  failed: z.boolean(),
  /** After how many characters of the answer's text. */
  at: z.int(),
});
export type ToolUse = z.infer<typeof toolUseSchema>;

/** What of long files went to the model with a question, the nearest first. */
export const sourcesSchema = z.object({
  /** How they were found: by what they mean, or by the words of the question where no embedding model is here. */
  by: z.enum(['meaning', 'words']),
  passages: z.array(
    z.object({
      file: z.string(),
      /** From 1; null in a file without pages. */
      page: z.int().nullable(),
      text: z.string(),
    }),
  ),
});
export type Sources = z.infer<typeof sourcesSchema>;
export type Passage = Sources['passages'][number];

export const turnSchema = z.object({
  id: z.int(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  at: z.number(),
  /** What a question brought along, by length in characters; absent where that is nothing. */
  files: z
    .array(
      z.object({
        name: z.string(),
        chars: z.int(),
        /** It is long: the passages that fit a question go to the model, not the whole of it. */
        long: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Ids of all that stand in this place, one branch each, the oldest first and this one among them; absent where there is no other. */
  versions: z.array(z.int()).optional(),
  /** How the answer came about; null for what the user wrote. */
  answer: z
    .object({
      /** `interrupted`: the node ended while it came. */
      state: z.enum(['answering', 'done', 'stopped', 'failed', 'interrupted']),
      target: z.enum(['local', 'mesh']),
      model: z.string().nullable(),
      /** Which version of an adapter of this node answered, as it was called then: `personal@3`. Absent where the model did as it is. */
      version: z.string().optional(),
      /** Id of the node that answered; null where this one was asked, or nobody of the mesh has answered: `target` says which. */
      worker: z.string().nullable(),
      tokens: z.number(),
      firstTokenMs: z.number().nullable(),
      totalMs: z.number().nullable(),
      tokensPerSecond: z.number().nullable(),
      /** What it cost, by worker: several where one did not finish. Empty where it cost nothing. */
      paid: z.array(paidSchema),
      /** Tools that were used for it, in order; absent where there were none. */
      uses: z.array(toolUseSchema).optional(),
      /** Absent where no long file was searched. */
      sources: sourcesSchema.optional(),
      error: errorSchema.nullable(),
    })
    .nullable(),
});
export type Turn = z.infer<typeof turnSchema>;

/** How those who were asked answered lately: the middle of each figure over their answers. */
export const answeredSchema = z.object({
  target: z.enum(['local', 'mesh']),
  model: z.string(),
  /** Answers that it is the middle of. */
  answers: z.int(),
  tokens: z.number(),
  firstTokenMs: z.number(),
  /** 0 where no answer was long enough to tell. */
  tokensPerSecond: z.number(),
});
export type Answered = z.infer<typeof answeredSchema>;

/** What happens before the model is asked, where the conversation has long files. */
export const searchEventSchema = z.discriminatedUnion('type', [
  /** Passages are read for the first time: so many of so many are. */
  z.object({ type: z.literal('filing'), done: z.int(), total: z.int() }),
  z.object({ type: z.literal('sources'), sources: sourcesSchema }),
]);
export type SearchEvent = z.infer<typeof searchEventSchema>;

/** What happens to an answer: what `inference.ask` tells, before it the turns as they are kept, and how it ended. */
export const conversationEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turns'), turns: z.array(turnSchema) }),
  ...searchEventSchema.options,
  ...askEventSchema.options,
  /** A tool is being used, and once more, with what came of it. */
  z.object({ type: z.literal('call'), call: toolUseSchema }),
  z.object({ type: z.literal('ended'), turn: turnSchema, conversation: conversationSchema }),
]);
export type ConversationEvent = z.infer<typeof conversationEventSchema>;

/** A conversation with the turns of the branch that is shown. */
const heldSchema = z.object({ conversation: conversationSchema, turns: z.array(turnSchema) });
export type HeldConversation = z.infer<typeof heldSchema>;

const text = z.string().trim().min(1).max(MAX_TURN_CHARS);

export const conversationsContract = {
  /** Newest first. */
  list: oc
    .input(z.object({ limit: z.int().min(1).max(500).default(100), search: z.string().max(200).optional() }))
    .output(z.array(conversationSchema)),
  create: oc.input(askOptionsSchema).output(conversationSchema),
  /** @throws BAD_REQUEST when there is none */
  get: oc.input(z.object({ id })).output(heldSchema),
  /** Changes title or options. */
  update: oc
    .input(z.object({ id, title: title.optional(), options: askOptionsSchema.optional() }))
    .output(conversationSchema),
  /** How long and how fast the newest answers were, by who gave them: what the next one may be like. */
  answered: oc.output(z.array(answeredSchema)),
  /** By their names. */
  presets: oc.output(z.array(presetSchema)),
  /** Takes the place of one with the same name. */
  savePreset: oc.input(presetSchema).output(z.array(presetSchema)),
  removePreset: oc.input(presetSchema.pick({ name: true })).output(z.array(presetSchema)),
  remove: oc.input(z.object({ id })).output(z.void()),
  removeAll: oc.output(z.void()),
  /**
   * Asks: keeps the user's turn, then the answer as it comes; leaving the stream stops it, and what came is kept.
   * One answer at a time in a conversation. Errors of the answer are part of it (`ended`), not thrown.
   */
  ask: oc
    .input(
      z.object({
        id,
        text,
        files: filesSchema.optional(),
        long: boundedArray(z.int(), MAX_FILES).optional(),
        /** Where it is asked. */
        door: z.enum(['playground', 'terminal']).default('playground'),
      }),
    )
    .output(eventIterator(conversationEventSchema)),
  /**
   * Takes a long file, or the next piece of one, for a question that is asked then with its number in `long`. Of pages, each but the first begins with a form feed.
   * @throws BAD_REQUEST when there is no such conversation or file, or too much of them
   */
  addFile: oc
    .input(z.object({ id, name: fileName, to: z.int().optional(), text: z.string().max(MAX_FILE_PIECE_CHARS) }))
    .output(z.object({ long: z.int() })),
  /** By which model of this computer long files are searched; null where none is here: then by words alone. */
  searcher: oc.output(z.object({ model: z.string().nullable() })),
  /** Asks something else in place of an earlier question, with its files: a branch begins there, and the one before stays. */
  edit: oc.input(z.object({ id, turn: z.int(), text })).output(eventIterator(conversationEventSchema)),
  /** Asks the last question again. An answer that has words stays, as another version. */
  regenerate: oc.input(z.object({ id })).output(eventIterator(conversationEventSchema)),
  /** Shows the branch of a turn, up to its newest end: what is asked next follows there. */
  show: oc.input(z.object({ id, turn: z.int() })).output(heldSchema),
};
