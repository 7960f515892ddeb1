/**
 * The numbers that schemas hold requests to, and screens their fields: plain, so that a screen that imports them loads no
 * zod. Which field has which limit: `request.ts`, `conversations.ts`.
 */

/** How keys, signatures and hashes of so many bytes are written: `keys.ts` says which is which. */
export const hexPattern = (bytes: number): RegExp => new RegExp(`^[0-9a-f]{${bytes * 2}}$`);

/** The first digits of a node's id: enough for a person to tell nodes apart. */
export const shortId = (id: string): string => id.slice(0, 8);

/** Largest request, in bytes of its JSON: it fits a frame of the mesh, with 4 KiB for what the wire adds. */
export const MAX_REQUEST_BYTES = 1_020 * 1_024;
/** Longest text of one message, in UTF-16 code units. */
export const MAX_TEXT_CHARS = 1_024 * 1_024;
export const MAX_MESSAGES = 1_000;
/** Most parts that the content of messages may come in at the OpenAI API, all messages together. */
export const MAX_CONTENT_PARTS = 4_000;
/** Longest answer that may be asked for, in tokens. */
export const MAX_ANSWER_TOKENS = 1_000_000;
export const MAX_TEMPERATURE = 5;
/** What people and the OpenAI API may ask for, as there: above it, little but noise comes. */
export const MAX_ASKED_TEMPERATURE = 2;
export const MAX_TOP_K = 1_000_000;
export const MAX_REPEAT_PENALTY = 10;
/** Seeds have 32 bits. */
export const MAX_SEED = 4_294_967_295;
export const MAX_STOPS = 16;
export const MAX_STOP_CHARS = 1_000;
export const MAX_TOP_LOGPROBS = 20;
/** Objects and arrays within one another in a JSON schema: with the two around it, the 32 that a frame may have. */
export const MAX_SCHEMA_LEVELS = 30;
/** Keys of objects and entries of arrays in a JSON schema, all of them together. */
export const MAX_SCHEMA_VALUES = 10_000;
export const MAX_MODEL_NAME_CHARS = 200;

/** Longest prompt of one turn of a conversation, in characters. */
export const MAX_TURN_CHARS = 200_000;
/** Longest word on how to answer that goes before a conversation, in characters. */
export const MAX_SYSTEM_CHARS = 20_000;
/** Most files that one question may bring along, the characters of all of them together, and of the name of each. */
export const MAX_FILES = 8;
export const MAX_FILES_CHARS = 200_000;
export const MAX_FILE_NAME_CHARS = 200;
export const MAX_TITLE_CHARS = 200;
export const MAX_PRESET_CHARS = 60;
/** Most settings that are changed at once. */
export const MAX_CHANGES = 200;
/** Longest name that a node has on its own screens, in characters. */
export const MAX_NODE_NAME_CHARS = 40;
