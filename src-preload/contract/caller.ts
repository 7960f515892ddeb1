/** How a call of the contract came here. */
export interface Caller {
  /** Nobody can listen on its way: it comes from the app's own window, from this computer, or over TLS. Default false. */
  confidential?: boolean;
}
