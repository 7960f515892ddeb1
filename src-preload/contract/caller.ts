/** How a call of the contract came here. */
export interface Caller {
  /** Nobody can listen on its way: it comes from the app's own window, from this computer, or over TLS. Default false. */
  confidential?: boolean;
  /** It is the app's own window, or a program of the account under which the node runs: it can read that account's files anyway. Default false. */
  ofAccount?: boolean;
  /** Whether it may still call: a login may have ended meanwhile. What is given to it for later ends with that. Default: it may. */
  lasts?: () => boolean;
}
