/** Plain, so that a screen that imports them loads no zod. */

/** Tokens that a submission may aim at. */
export const [LEAST_AIM, MOST_AIM] = [100_000, 1_000_000];
/** A round’s own pot: shares are whole numbers of it, ten-thousandths. */
export const WHOLE_POT = 10_000;
/** Bytes of an artefact. */
export const MOST_ENTRY_BYTES = 1 << 20;
/** An artefact comes to the node in pieces of so many bytes: base64 of one fits a message. */
export const ENTRY_PIECE_BYTES = 256 * 1024;
/** Of what is shown of own submissions. */
export const MOST_ENTRIES_SHOWN = 100;
