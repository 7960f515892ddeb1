/** As the contract has them. */
export const MOST_PASSWORD_CHARS = 1_024;
export const MOST_TEXT_CHARS = 65_536;
export const MOST_PHRASE_CHARS = 1_000;
