/* Why something ended that has no code, as the ledger notes it: the history tells it in the reader's language (ledger/happened.ts). */

/** The process died, or was stopped, that it ran in. */
export const STOPPED = 'the node stopped';
/** No receipt came in time. */
export const UNSIGNED = 'never signed for';
/** The client did not sign the worker's bill; what was wrong with it follows. */
export const BILL_REFUSED = 'bill refused: ';
/** The ledger was restored from a backup, and this is read back from the node's own score log. */
export const RECOVERED = 'read back';
