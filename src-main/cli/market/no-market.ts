/** What a command says that has nothing to ask. */
export const NO_MARKET = 'No market is set: quarry focus market --help says what it takes.';
