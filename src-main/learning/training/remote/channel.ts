/** What two nodes of one owner speak over: in order, encrypted, and each knows who the other is. */
export interface Channel {
  /** The other node: its id, and what it is called. */
  readonly node: string;
  readonly name: string;
  /** Says something; nothing happens when it is over. @param message JSON of less than 64 KiB */
  send(message: object): void;
  /** Unchecked JSON. Attach it in the turn in which the channel came or was opened. */
  onMessage(listener: (message: unknown) => void): void;
  /**
   * Told once, some seconds after the other side is gone at the latest. Not when this side closes it.
   * @param listener `forGood`: the two nodes are none of one owner any more
   */
  onClose(listener: (forGood: boolean) => void): void;
  /** Idempotent. */
  close(): void;
}

/** What a node names it by when it calls another one. */
export const TRAINING_CALL = 'training';
