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
/** Largest request that this node's own work asks of an engine or of a server, through no door: two million tokens of at most 16 bytes each. */
export const MAX_LONG_REQUEST_BYTES = 32_000_000;
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
/** Tokens whose likelihood one request may change, how far, and the highest number of one: vocabularies end long before. */
export const MAX_BIASED_TOKENS = 1_024;
export const MAX_LOGIT_BIAS = 100;
export const MAX_TOKEN_DIGITS = 7;
/** How far what the answer has said already may become less likely, or more, as at OpenAI. */
export const MAX_SAID_PENALTY = 2;
/** Most answers that one request of the OpenAI API may ask for. */
export const MAX_CHOICES = 8;
/** Objects and arrays within one another in a JSON schema: with the two around it, the 32 that a frame may have. */
export const MAX_SCHEMA_LEVELS = 30;
/** Keys of objects and entries of arrays in a JSON schema, all of them together. */
export const MAX_SCHEMA_VALUES = 10_000;
export const MAX_MODEL_NAME_CHARS = 200;
/** Most tools that one request may offer, and the length of what each is said to do. */
export const MAX_TOOLS = 64;
export const MAX_TOOL_TEXT_CHARS = 4_000;
/** Objects and arrays within one another in what a tool takes: it lies two levels deeper in a frame than a JSON schema. */
export const MAX_TOOL_LEVELS = MAX_SCHEMA_LEVELS - 2;
/** Most calls of tools in one message, and the length of one's arguments, as JSON. */
export const MAX_TOOL_CALLS = 32;
export const MAX_ARGUMENTS_CHARS = 64_000;
export const MAX_CALL_ID_CHARS = 100;

/** Longest prompt of one turn of a conversation, in characters. */
export const MAX_TURN_CHARS = 200_000;
/** Longest word on how to answer that goes before a conversation, in characters. */
export const MAX_SYSTEM_CHARS = 20_000;
/** Most files that one question may bring along, the characters of all of them together, and of the name of each. */
export const MAX_FILES = 8;
export const MAX_FILES_CHARS = 200_000;
export const MAX_FILE_NAME_CHARS = 200;
/** Characters of a file that is searched for the passages that fit a question, and most such files of one conversation. */
export const MAX_LONG_FILE_CHARS = 2_000_000;
export const MAX_LONG_FILES = 16;
/** Most characters of such a file, or of a report, in one message: a message to the node has at most 1 MiB. */
export const MAX_FILE_PIECE_CHARS = 100_000;
/** Of a report of audits, in characters: some hundred a token, of as many tokens as a node keeps answers of. */
export const MAX_REPORT_CHARS = 32 << 20;
/** How long a worker that was found out stays a newcomer, and is not asked where it used another model, in milliseconds. */
export const MARK_MS = 30 * 86_400_000;
/** Largest PDF that is read, in bytes, and its most pages. */
export const MAX_PDF_BYTES = 20_000_000;
export const MAX_PDF_PAGES = 1_000;
export const MAX_TITLE_CHARS = 200;
export const MAX_PRESET_CHARS = 60;
/** Longest name of an adapter, in characters, and longest word on what should be different in an answer. */
export const MAX_ADAPTER_NAME_CHARS = 64;
/** Longest file of an adapter: 2²⁸ numbers in single precision, and a header. */
export const MAX_ADAPTER_BYTES = (1 << 30) + (1 << 24);
/** Of what names a version: an adapter's name, and a time. */
export const MAX_VERSION_CHARS = 100;
/** Where exported versions are fetched, by a ticket: `/learning/export/<ticket>`. */
export const LEARNING_EXPORT_PATH = '/learning/export';
export const MAX_FEEDBACK_CHARS = 8_000;
/** Most answers of which it is asked at once what was said. */
export const MAX_ANSWERS_ASKED = 200;
/** Most settings that are changed at once. */
export const MAX_CHANGES = 200;
/** Longest name that a node has on its own screens, in characters. */
export const MAX_NODE_NAME_CHARS = 40;

/** The password of a backup, in characters. Whoever has the file can try as many as they like, so short ones are refused. */
export const MIN_PASSWORD_CHARS = 10;
export const MAX_PASSWORD_CHARS = 1_000;
/** A backup comes and goes in base64: bytes in one piece. */
export const BACKUP_PIECE_BYTES = 393_216;

/** In these tiers what a node would lose is soon earned again. */
const SOON_EARNED_AGAIN = ['newcomer', 'bronze'];

/** Whether a node of this tier has something to lose that is worth a backup. */
export const isWorthBackup = (tier: string): boolean => !SOON_EARNED_AGAIN.includes(tier);
