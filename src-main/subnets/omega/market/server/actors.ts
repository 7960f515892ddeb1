/** Who wanted a change, in the market’s log, where it was no hotkey. */
export const BY_TIME = 'time';
export const BY_PAYMENT = 'payment';
/** Its model, or what looks at files. */
export const BY_MARKET = 'market';
/** Somebody who runs it. */
export const BY_PERSON = 'person';
